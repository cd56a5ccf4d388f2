import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addAdminUser } from '../../src/admin/add-admin-user.js';
import { isPassword } from '../../src/admin/admin-password.js';
import { findAdminUsers } from '../../src/db/admin-users.js';
import { buildCopy } from '../support/built-copy.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

const PASSWORD = 'una contraseña larga';

let copy: ReturnType<typeof buildCopy>;
let database: TestDatabase;
beforeAll(async () => {
  copy = buildCopy();
  database = await openTestDatabase();
  await addAdminUser(database.db.queries, { name: 'Luz', role: 'viewer', passwordHash: 'hash' }, 1);
}, 60_000);
afterAll(async () => {
  copy[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

/** Runs the command as an own process. `input` is its standard input. */
function admin(args: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/cli/admin.js', ...args], {
    cwd: copy.home,
    env,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the admin command adds, lists, changes and disables users, and prints no password', async () => {
  const added = admin(['add', 'Ana', '--role', 'fulfillment'], `${PASSWORD}\n`);
  const changed = admin(['password', 'ana'], 'otra contraseña larga');
  const secondFactor = admin(['totp', 'ana', '--enable']);
  const disabled = admin(['disable', 'ana']);
  const [user] = await findAdminUsers(database.db.queries);
  const list = admin(['list']);
  const reset = [admin(['totp', 'ana', '--disable']), admin(['enable', 'ana'])];
  const [after] = await findAdminUsers(database.db.queries);

  const runs = [added, changed, secondFactor, disabled, list, ...reset];
  expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual(runs.map(() => [0, '']));
  expect(runs.map(({ stdout }) => stdout).join('')).not.toContain('contraseña');
  expect(secondFactor.stdout).toMatch(/secret {3}[A-Z2-7]{32}\n {2}address {2}otpauth:\/\/totp\//);
  expect(list.stdout).toBe('Ana\tfulfillment\tsecond factor\tdisabled\nLuz\tviewer\tpassword only\tactive\n');
  expect(await isPassword('otra contraseña larga', user?.passwordHash)).toBe(true);
  expect(after).toMatchObject({ totpSecret: null, disabledAt: null, role: 'fulfillment' });
});

test.each<readonly [readonly string[], string, number, RegExp]>([
  [['add', 'eva', '--role', 'viewer'], 'short', 1, /12 to 200 characters/],
  [['add', 'LUZ', '--role', 'viewer'], PASSWORD, 1, /LUZ is taken/],
  [['add', 'eva', PASSWORD, '--role', 'viewer'], '', 2, /arguments are not valid/],
  [[], '', 2, /a command is missing/],
])(
  'the admin command with the arguments %j and the input %j ends with code %i',
  async (args, input, code, message) => {
    const before = await findAdminUsers(database.db.queries);

    const { status, stdout, stderr } = admin(args, input);

    expect([status, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(message);
    expect(await findAdminUsers(database.db.queries)).toEqual(before);
  },
);
