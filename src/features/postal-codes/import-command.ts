import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AdminCommand, UsageError } from '../../admin/admin-command.js';
import { readPostalFile } from './postal-file.js';
import { replacePostalCodes } from './repository.js';

/** Problems of a file that are listed. Of another file, each row may be one. */
const MAX_LISTED = 20;

/** `npm run admin -- postal-codes`: a refused file changes nothing. */
export const importCommand: AdminCommand = {
  usage: ['--file FILE', 'replaces all postal codes by those of the file'],
  options: { file: { type: 'string' } },
  async run({ database, options: { file } }) {
    if (typeof file !== 'string') throw new UsageError('--file FILE is missing');
    if (!existsSync(file)) throw new Error(`the file ${file} does not exist`);
    const reading = readPostalFile(await readFile(file));
    if (!reading.ok) throw new Error(`${file} was refused, and nothing changed:\n${listOf(reading.problems)}`);
    const { codes } = reading;
    await database.transaction((queries) => replacePostalCodes(queries, codes));
    const neighborhoods = codes.reduce((sum, code) => sum + code.neighborhoods.length, 0);
    return `${codes.length} postal codes with ${neighborhoods} neighborhoods were imported from ${file}`;
  },
};

function listOf(problems: readonly string[]): string {
  const listed = problems.slice(0, MAX_LISTED);
  const left = problems.length - listed.length;
  return [...listed, ...(left > 0 ? [`${left} more`] : [])].map((line) => `  - ${line}`).join('\n');
}
