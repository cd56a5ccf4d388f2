/** The commands of the image, each in its own process. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { addAdminUser, isPassword } from '../../src/admin/credentials.js';
import { openTotpSecret } from '../../src/admin/totp-secret.js';
import { findAdminUsers } from '../../src/db/admin-users.js';
import { runBuilt } from '../support/built-program.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { openTestDatabase } from '../support/test-database.js';

const PASSWORD = 'una contraseña larga';
const folder = mkdtempSync(join(tmpdir(), 'tianguis-cli-'));
const database = await openTestDatabase();
const { queries } = database.db;
await addAdminUser(queries, { name: 'Luz', role: 'viewer', passwordHash: 'hash' }, 1);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database[Symbol.asyncDispose]();
});

const run = (name: 'admin' | 'catalog', args: readonly string[], input = '') =>
  runBuilt(`src/cli/${name}.js`, args, { input, settings: { DATABASE_URL: database.url }, cwd: folder });
const admin = (args: readonly string[], input?: string) => run('admin', args, input);
const catalog = (...args: readonly string[]) => run('catalog', args);

test('the admin command adds, lists, changes and disables users, and prints no password', async () => {
  const added = await admin(['add', 'Ana', '--role', 'fulfillment'], `${PASSWORD}\n`);
  const changed = await admin(['password', 'ana'], 'otra contraseña larga');
  const secondFactor = await admin(['totp', 'ana', '--enable']);
  const [withFactor] = await findAdminUsers(queries);
  const promoted = await admin(['role', 'ana', '--role', 'manager']);
  const lastManager = await admin(['role', 'ana', '--role', 'viewer']);
  const disabled = await admin(['disable', 'ana']);
  const [user] = await findAdminUsers(queries);
  const list = await admin(['list']);
  // Luz is no manager, so the rule of the last one does not apply.
  const other = await admin(['role', 'luz', '--role', 'fulfillment']);
  const reset = [await admin(['totp', 'ana', '--disable']), await admin(['enable', 'ana'])];
  const [after] = await findAdminUsers(queries);

  const runs = [added, changed, secondFactor, promoted, disabled, list, other, ...reset];
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
  expect(runs.map(({ stdout }) => stdout).join('')).not.toContain('contraseña');
  expect(secondFactor.stdout).toMatch(/secret {3}[A-Z2-7]{32}\n {2}address {2}otpauth:\/\/totp\//);
  const [, secret = ''] = /secret {3}(\w+)/.exec(secondFactor.stdout) ?? [];
  const sessionSecret = readFileSync(join(folder, 'data/session-secret'), 'utf8').trim();
  expect(withFactor?.totpSecret).not.toContain(secret);
  expect(openTotpSecret(withFactor?.totpSecret ?? '', withFactor?.id ?? '', [sessionSecret])).toBe(secret);
  expect(secondFactor.stdout).toContain('▄▄▄▄▄');
  expect(lastManager).toMatchObject({ code: 1, stderr: expect.stringContaining('ana is the last manager') });
  expect(disabled.stdout).toContain('no active manager is left');
  expect(list.stdout).toBe('Ana\tmanager\ttwo-step verification\tdisabled\nLuz\tviewer\tpassword only\tactive\n');
  expect(await isPassword('otra contraseña larga', user?.passwordHash)).toBe(true);
  expect(after).toMatchObject({ totpSecret: null, disabledAt: null, role: 'manager' });
  const events = await queries
    .selectFrom('adminUserEvents')
    .select(['by', 'kind', 'roleBefore', 'role'])
    .orderBy('id')
    .execute();
  expect(events.map(({ kind }) => kind)).toEqual([
    ...[
      'added',
      'password_changed',
      'factor_set',
      'role_changed',
      'disabled',
      'role_changed',
      'factor_removed',
      'enabled',
    ],
  ]);
  expect(events[3]).toEqual({ by: 'npm run admin', kind: 'role_changed', roleBefore: 'fulfillment', role: 'manager' });
});

test('the commands with invalid arguments or input end with a reason and change nothing', async () => {
  const before = await findAdminUsers(queries);

  const results = await Promise.all([
    admin(['add', 'eva', '--role', 'viewer'], 'short'),
    admin(['add', 'LUZ', '--role', 'viewer'], PASSWORD),
    admin(['add', 'eva', PASSWORD, '--role', 'viewer']),
    admin([]),
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
    [1, '', expect.stringContaining('the file nothing.csv does not exist')],
    [2, '', expect.stringContaining('npm run catalog -- import FILE')],
    [2, '', expect.stringContaining('npm run catalog -- import FILE')],
  ]);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run admin -- COMMAND') });
  expect(await findAdminUsers(queries)).toEqual(before);
});

test('the catalog command imports, exports and reports what changed, what would change and what is refused', async () => {
  const first = await catalog('import', CATALOG_FILE);
  const exported = await catalog('export', 'out.csv');
  const file = join(folder, 'out.csv');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('289.00', '299.00'));
  const dry = await catalog('import', 'out.csv', '--dry-run', '--stock', '--hide-missing');
  const changed = await catalog('import', 'out.csv');
  writeFileSync(file, text.replace('289.00,,', '299.00,5,'));
  const restocked = await catalog('import', 'out.csv');
  writeFileSync(file, text.replace('289.00', 'gratis').replace('745.50', '-1'));
  const refused = await catalog('import', 'out.csv');

  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('13 new, 0 changed, 0 unchanged, 0 hidden\n');
  expect(exported).toMatchObject({ code: 0, stdout: 'The products were exported to out.csv.\n' });
  const line = '0 new, 1 changed, 12 unchanged, 0 hidden\n  - changed: taza-talavera (price 289.00 → 299.00)\n';
  expect(dry).toEqual({ code: 0, stdout: `Dry run, nothing was written: ${line}`, stderr: '' });
  expect(changed).toEqual({ code: 0, stdout: line, stderr: '' });
  expect(restocked.stdout).toBe(
    '0 new, 0 changed, 13 unchanged, 0 hidden\n1 product has another stock in the file. Add --stock to take it over.\n',
  );
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('out.csv was refused, and nothing changed:\n  - row 2, price: "gratis" ');
  expect(refused.stderr).toContain('  - row 3, price: "-1" ');
});
