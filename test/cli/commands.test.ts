/** The commands of the image, each in its own process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { addAdminUser, isPassword } from '../../src/admin/credentials.js';
import { findAdminUsers } from '../../src/db/admin-users.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { openCommands } from '../support/commands.js';

const PASSWORD = 'una contraseña larga';
/** Far below the time of a command that waits for input. */
const LIMIT_MS = 60_000;
const { folder, queries, admin, catalog, run } = await openCommands();
await addAdminUser(queries, { name: 'Luz', role: 'viewer', passwordHash: 'hash' }, 1);

test('the admin command adds, lists, changes and disables users, and prints no password', async () => {
  const added = await admin(['add', 'Ana', '--role', 'manager', '--password-stdin'], `${PASSWORD}\n`);
  const changed = await admin(['password', 'ana', '--password-stdin'], 'otra contraseña larga');
  const disabled = await admin(['disable', 'ana']);
  const [user] = await findAdminUsers(queries);
  const list = await admin(['list']);
  const json = await admin(['list', '--json']);
  const enabled = await admin(['enable', 'ana']);
  const [after] = await findAdminUsers(queries);

  const runs = [added, changed, disabled, list, enabled];
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
  expect(runs.map(({ stdout }) => stdout).join('')).not.toContain('contraseña');
  expect(disabled.stdout).toContain('no active manager is left');
  expect(list.stdout).toBe('Ana\tmanager\tpassword only\tdisabled\nLuz\tviewer\tpassword only\tactive\n');
  expect(JSON.parse(json.stdout)).toEqual([
    { name: 'Ana', role: 'manager', hasSecondFactor: false, isDisabled: true },
    { name: 'Luz', role: 'viewer', hasSecondFactor: false, isDisabled: false },
  ]);
  expect(await isPassword('otra contraseña larga', user?.passwordHash)).toBe(true);
  expect(after).toMatchObject({ disabledAt: null, role: 'manager' });
  const events = await queries.selectFrom('adminUserEvents').select(['by', 'kind']).orderBy('id').execute();
  expect(events.map(({ kind }) => kind)).toEqual(['added', 'password_changed', 'disabled', 'enabled']);
  expect(new Set(events.map(({ by }) => by))).toEqual(new Set(['npm run admin']));
});

test('the commands with invalid arguments or input end with a reason and change nothing', async () => {
  const before = await findAdminUsers(queries);

  const results = await Promise.all([
    admin(['add', 'eva', '--role', 'manager', '--password-stdin'], 'short'),
    admin(['add', 'LUZ', '--role', 'manager', '--password-stdin'], PASSWORD),
    admin(['add', 'eva', PASSWORD, '--role', 'manager']),
    admin([]),
    admin(['add', 'eva', '--role', 'owner'], PASSWORD),
    admin(['drop', 'eva']),
    catalog('import', 'nothing.csv'),
    catalog('import', 'a', '--all'),
    catalog(),
  ]);
  const help = await admin(['--help']);

  expect(results.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
    [1, '', expect.stringContaining('12 to 200 characters')],
    [1, '', expect.stringContaining('LUZ is taken')],
    [2, '', expect.stringContaining('arguments are not valid')],
    [2, '', expect.stringContaining('a command is missing')],
    [2, '', expect.stringContaining('--role must be one of')],
    [2, '', expect.stringContaining('there is no command drop')],
    [1, '', expect.stringContaining('the file nothing.csv does not exist')],
    [2, '', expect.stringContaining('npm run catalog -- import FILE')],
    [2, '', expect.stringContaining('npm run catalog -- import FILE')],
  ]);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run admin -- COMMAND') });
  expect(await findAdminUsers(queries)).toEqual(before);
});

test.each([
  ['closed', ''],
  ['an open pipe that sends nothing', 'open'],
])(
  'with %s as standard input no command waits, and a command that needs a password names the option',
  async (_, input) => {
    const before = await findAdminUsers(queries);
    const asking = [
      ['add', 'eva', '--role', 'manager'],
      ['password', 'luz'],
    ];

    const [late, list, dry, ...refused] = await Promise.all([
      admin(['password', 'luz', '--password-stdin'], input),
      admin(['list', '--json'], input),
      run('catalog', ['import', CATALOG_FILE, '--dry-run', '--json'], input),
      ...asking.map((args) => admin(args, input)),
    ]);

    for (const { code, stderr } of refused)
      expect([code, stderr]).toEqual([2, expect.stringContaining('--password-stdin')]);
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringMatching(input === 'open' ? /did not end/ : /12 to 200/),
    ]);
    for (const { code, stdout } of [list, dry]) expect([code, JSON.parse(stdout)]).toEqual([0, expect.anything()]);
    expect(await findAdminUsers(queries)).toEqual(before);
  },
  LIMIT_MS,
);

test('the catalog command imports, exports and reports what changed, what would change and what is refused', async () => {
  const first = await catalog('import', CATALOG_FILE);
  const exported = await catalog('export', 'out.csv');
  const file = join(folder, 'out.csv');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('289.00', '299.00'));
  const dry = await catalog('import', 'out.csv', '--dry-run', '--stock', '--hide-missing');
  const dryJson = await catalog('import', 'out.csv', '--dry-run', '--json');
  const changed = await catalog('import', 'out.csv');
  writeFileSync(file, text.replace('289.00,,,,', '299.00,,,5,'));
  const restocked = await catalog('import', 'out.csv');
  writeFileSync(file, text.replace('289.00', 'gratis').replace('745.50', '-1'));
  const refused = await catalog('import', 'out.csv');
  const refusedJson = await catalog('import', 'out.csv', '--json');

  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('13 new, 0 changed, 0 unchanged, 0 hidden\n');
  expect(exported).toMatchObject({ code: 0, stdout: 'The products were exported to out.csv.\n' });
  const line = '0 new, 1 changed, 12 unchanged, 0 hidden\n  - changed: taza-talavera (price 289.00 → 299.00)\n';
  expect(dry).toEqual({ code: 0, stdout: `Dry run, nothing was written: ${line}`, stderr: '' });
  expect(JSON.parse(dryJson.stdout)).toMatchObject({
    isDryRun: true,
    created: [],
    changed: [{ id: 'taza-talavera', detail: { price: ['289.00', '299.00'] } }],
    unchanged: 12,
  });
  expect(changed).toEqual({ code: 0, stdout: line, stderr: '' });
  expect(restocked.stdout).toBe(
    '0 new, 0 changed, 13 unchanged, 0 hidden\n1 product has another stock in the file. Add --stock to take it over.\n',
  );
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('out.csv was refused, and nothing changed:\n  - row 2, price: "gratis" ');
  expect(refused.stderr).toContain('  - row 3, price: "-1" ');
  const problems = [expect.stringContaining('row 2, price: "gratis"'), expect.stringContaining('row 3')];
  expect([refusedJson.code, JSON.parse(refusedJson.stdout)]).toEqual([1, { problems }]);
});
