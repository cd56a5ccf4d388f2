/** The commands of the image. The first tests run each of them in its own process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { addAdminUser, isPassword } from '../../src/admin/credentials.js';
import { findAdminUsers } from '../../src/tables/admin-users.js';
import { copyBuild } from '../support/built-program.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { openCommands } from '../support/commands.js';

const PASSWORD = 'una contraseña larga';
const { folder, queries, admin, catalog, run } = await openCommands();
await addAdminUser(queries, { name: 'Luz', role: 'viewer', passwordHash: 'hash' }, 1);

/** The build with a command that waits 0.1 s for its input in place of 10 s. */
const hasty = copyBuild({ 'src/cli/run-admin.ts': (source) => source.replace('INPUT_MS = 10_000', 'INPUT_MS = 100') });
afterAll(() => hasty[Symbol.dispose]());

test('a command in its own process reads standard input, prints its result, and ends with its exit code', async () => {
  const added = await run('admin', ['add', 'Sol', '--role', 'manager', '--password-stdin'], { input: `${PASSWORD}\n` });
  const [exported, refused] = await Promise.all([
    run('catalog', ['export', 'all.csv', '--json']),
    run('admin', ['add', 'eva', '--role', 'owner']),
  ]);
  const user = (await findAdminUsers(queries)).find(({ name }) => name === 'Sol');
  await queries.deleteFrom('adminUserEvents').execute();
  await queries.deleteFrom('adminUsers').where('name', '=', 'Sol').execute();

  expect(added).toEqual({ code: 0, stdout: 'Sol was added as manager\n', stderr: '' });
  expect(user?.passwordHash).toMatch(/^scrypt:16384:8:5:/);
  expect(await isPassword(PASSWORD, user?.passwordHash)).toBe(true);
  expect(exported).toEqual({ code: 0, stdout: '{"file":"all.csv"}\n', stderr: '' });
  expect(readFileSync(join(folder, 'all.csv'), 'utf8')).toContain('price');
  expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('--role must be one of') });
});

test('with an open pipe that sends nothing as standard input no command waits, and one that needs a password names the option', async () => {
  const before = await findAdminUsers(queries);
  const open = { input: 'open', home: hasty.home };

  const [late, refused, dry] = await Promise.all([
    run('admin', ['password', 'luz', '--password-stdin'], open),
    run('admin', ['password', 'luz'], open),
    run('catalog', ['import', CATALOG_FILE, '--dry-run', '--json'], open),
  ]);

  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('did not end')]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--password-stdin')]);
  expect([dry.code, JSON.parse(dry.stdout)]).toEqual([0, expect.objectContaining({ isDryRun: true })]);
  expect(await findAdminUsers(queries)).toEqual(before);
});

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
  await queries.deleteFrom('adminUserEvents').execute();
  await queries.deleteFrom('adminUsers').where('name', '=', 'Ana').execute();
});

test('the commands with invalid arguments or input end with a reason and change nothing', async () => {
  const before = await findAdminUsers(queries);

  const results = [
    await admin(['add', 'eva', '--role', 'manager', '--password-stdin'], 'short'),
    await admin(['add', 'eva', '--role', 'manager', '--password-stdin']),
    await admin(['add', 'LUZ', '--role', 'manager', '--password-stdin'], PASSWORD),
    await admin(['add', 'eva', '--role', 'manager'], PASSWORD),
    await admin(['password', 'luz'], PASSWORD),
    await admin(['add', 'eva', PASSWORD, '--role', 'manager']),
    await admin([]),
    await admin(['add', 'eva', '--role', 'owner'], PASSWORD),
    await admin(['drop', 'eva']),
    await catalog('import', 'nothing.csv'),
    await catalog('import', 'a', '--all'),
    await catalog(),
  ];
  const help = await admin(['--help']);

  expect(results.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
    [1, '', expect.stringContaining('12 to 200 characters')],
    [1, '', expect.stringContaining('12 to 200 characters')],
    [1, '', expect.stringContaining('LUZ is taken')],
    [2, '', expect.stringContaining('pipe it in with --password-stdin')],
    [2, '', expect.stringContaining('pipe it in with --password-stdin')],
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

test('the catalog command imports, exports and reports what changed, what would change and what is refused', async () => {
  const file = join(folder, 'out.csv');
  const first = await catalog('import', CATALOG_FILE);
  const exported = await catalog('export', file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('289.00', '299.00'));
  const dry = await catalog('import', file, '--dry-run', '--stock', '--hide-missing');
  const dryJson = await catalog('import', file, '--dry-run', '--json');
  const changed = await catalog('import', file);
  writeFileSync(file, text.replace('289.00,,,,', '299.00,,,5,'));
  const restocked = await catalog('import', file);
  writeFileSync(file, text.replace('289.00', 'gratis').replace('745.50', '-1'));
  const refused = await catalog('import', file);
  const refusedJson = await catalog('import', file, '--json');

  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('13 new, 0 changed, 0 unchanged, 0 hidden\n');
  expect(exported).toMatchObject({ code: 0, stdout: `The products were exported to ${file}.\n` });
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
  expect(refused.stderr).toContain(`${file} was refused, and nothing changed:\n  - row 2, price: "gratis" `);
  expect(refused.stderr).toContain('  - row 3, price: "-1" ');
  const problems = [expect.stringContaining('row 2, price: "gratis"'), expect.stringContaining('row 3')];
  expect([refusedJson.code, JSON.parse(refusedJson.stdout)]).toEqual([1, { problems }]);
});
