import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AdminCommand, UsageError } from '../../admin/admin-command.js';
import { COMMAND_AUTHOR } from '../../shop/rules/admin-user.js';
import { storeChange } from '../shop-settings/change-settings.js';
import { readSettingsFile } from './settings-file.js';

/** `npm run admin -- import-settings`: a refused file changes nothing. */
export const importCommand: AdminCommand = {
  usage: ['--file FILE', 'changes the settings of the shop to those of the file'],
  options: { file: { type: 'string' } },
  async run({ database, shop, options: { file } }) {
    if (typeof file !== 'string') throw new UsageError('--file FILE is missing');
    if (!existsSync(file)) throw new Error(`the file ${file} does not exist`);
    const reading = readSettingsFile(await shop(), await readFile(file, 'utf8'));
    if ('problems' in reading) {
      const lines = reading.problems.map(({ name, problem }) => `  - ${name || file}: ${problem}`);
      throw new Error(`${file} was refused, and nothing changed:\n${lines.join('\n')}`);
    }
    const input = { values: reading.values, by: COMMAND_AUTHOR, kind: 'imported' as const };
    const { kind } = await database.transaction((tx) => storeChange(tx, input, Date.now()));
    if (kind === 'changed_meanwhile') throw new Error('the settings changed at the same moment; repeat the command');
    return kind === 'changed' ? `the settings were imported from ${file}` : 'nothing had to change';
  },
};
