/** `npm run admin`: adds, lists and changes the users of the back office. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { encodeQR } from 'qr';
import { addAdminUser, hashPassword, newTotpSecret, totpAddress } from '../admin/credentials.js';
import { sealTotpSecret } from '../admin/totp-secret.js';
import {
  type AdminUser,
  type AdminUserChange,
  findAdminUserByName,
  findAdminUsers,
  isLastManager,
  lockManagers,
  recordUserEvent,
  updateAdminUser,
} from '../db/admin-users.js';
import { type Database, type Db, openDatabase } from '../db/database.js';
import { developmentSecret } from '../development-secret.js';
import { loadEnvFile } from '../env-file.js';
import { configOrExit } from '../process-lifecycle.js';
import {
  type AdminUserEventKind,
  COMMAND_AUTHOR,
  isAdminName,
  isPasswordLength,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  ROLES,
  type Role,
} from '../shop/rules/admin-user.js';

const USAGE = `npm run admin -- COMMAND
  add NAME --role viewer|fulfillment|manager   adds a user
  list                                         lists the users
  disable NAME                                 ends the user's sessions and refuses sign-ins
  enable NAME                                  allows sign-ins again
  password NAME                                sets a new password and ends the user's sessions
  role NAME --role viewer|fulfillment|manager  changes the role and ends the user's sessions
  totp NAME --enable|--disable                 adds or removes two-step verification
add and password ask for the password. It has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. Without a terminal they read it from standard input.
Exit code: 0 done, 1 failed, 2 invalid arguments.
`;

const OPTIONS = {
  role: { type: 'string' },
  enable: { type: 'boolean' },
  disable: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const NO_ROLE = `--role must be one of ${ROLES.join(', ')}`;

/** The arguments are not valid. */
class UsageError extends Error {}

interface Input {
  readonly name: string;
  readonly role: Role | undefined;
  readonly enable: boolean | undefined;
}

/** Returns what to print. */
type Command = (database: Database, input: Input, sessionSecret: () => string) => Promise<string>;

const COMMANDS: Readonly<Record<string, Command>> = {
  async add({ transaction }, { name, role }) {
    if (role === undefined) throw new UsageError(NO_ROLE);
    if (!isAdminName(name))
      throw new UsageError(
        'the name must have 2 to 40 letters without accents, digits, dots, hyphens or underscores, and begin with a letter',
      );
    const passwordHash = await hashPassword(await readPassword());
    await transaction(async (queries) => {
      const at = Date.now();
      if (!(await addAdminUser(queries, { name, role, passwordHash }, at)))
        throw new Error(`the name ${name} is taken`);
      const { id: userId } = await findUser(queries, name);
      await recordUserEvent(queries, { userId, at, by: COMMAND_AUTHOR, kind: 'added', role });
    });
    return `${name} was added as ${role}`;
  },
  async list({ queries }) {
    const users = await findAdminUsers(queries);
    const rows = users.map(({ name, role, totpSecret, disabledAt }) =>
      [name, role, totpSecret ? 'two-step verification' : 'password only', disabledAt ? 'disabled' : 'active'].join(
        '\t',
      ),
    );
    return rows.join('\n') || 'there are no users';
  },
  async role({ transaction }, { name, role }) {
    if (role === undefined) throw new UsageError(NO_ROLE);
    await transaction(async (queries) => {
      const managers = await lockManagers(queries);
      const { id: userId, role: roleBefore } = await findUser(queries, name);
      if (role !== 'manager' && isLastManager(managers, userId))
        throw new Error(`${name} is the last manager. Add or enable another one first`);
      const at = Date.now();
      await updateAdminUser(queries, name, { role, updatedAt: at });
      await recordUserEvent(queries, { userId, at, by: COMMAND_AUTHOR, kind: 'role_changed', roleBefore, role });
    });
    return `${name} has the role ${role}`;
  },
  async disable(database, { name }) {
    await change(database, name, 'disabled', () => ({ disabledAt: Date.now() }));
    const managers = await lockManagers(database.queries);
    return managers.length > 0 ? `${name} was disabled` : `${name} was disabled, and no active manager is left`;
  },
  async enable(database, { name }) {
    await change(database, name, 'enabled', () => ({ disabledAt: null }));
    return `${name} was enabled`;
  },
  async password(database, { name }) {
    const passwordHash = await hashPassword(await readPassword());
    await change(database, name, 'password_changed', () => ({ passwordHash, mustChangePassword: 0 }));
    return `${name} has a new password`;
  },
  async totp(database, { name, enable }, sessionSecret) {
    if (enable === undefined) throw new UsageError('add --enable or --disable');
    const secret = newTotpSecret();
    await change(database, name, enable ? 'factor_set' : 'factor_removed', ({ id }) => ({
      totpSecret: enable ? sealTotpSecret(secret, id, sessionSecret()) : null,
    }));
    if (!enable) return `${name} signs in without two-step verification`;
    const address = totpAddress(secret, name);
    return `${name} signs in with two-step verification. Scan the code, or enter the secret or the address in an authenticator app:
${encodeQR(address, 'ascii', { ecc: 'low' })}
  secret   ${secret}
  address  ${address}`;
  },
};

/** Changes a user and records it. Throws if there is no such user. */
function change(
  { transaction }: Database,
  name: string,
  kind: AdminUserEventKind,
  values: (user: AdminUser) => Omit<AdminUserChange, 'updatedAt'>,
): Promise<void> {
  return transaction(async (queries) => {
    const user = await findUser(queries, name);
    const at = Date.now();
    await updateAdminUser(queries, name, { ...values(user), updatedAt: at });
    await recordUserEvent(queries, { userId: user.id, at, by: COMMAND_AUTHOR, kind });
  });
}

async function findUser(queries: Db, name: string): Promise<AdminUser> {
  const user = await findAdminUserByName(queries, name);
  if (!user) throw new Error(`there is no user ${name}`);
  return user;
}

async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY
    ? await askHidden('Password: ')
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  if (process.stdin.isTTY && (await askHidden('Repeat the password: ')) !== password)
    throw new Error('the passwords differ');
  if (isPasswordLength(password)) return password;
  throw new Error(`the password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
}

/** The typed characters are written to a stream that discards them. */
async function askHidden(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write(question);
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

/** Throws `UsageError` for an unknown command, option or number of names. */
function parseCommand(): { readonly run: Command; readonly input: Input } {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const [command = '', name = ''] = positionals;
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!run || positionals.length !== (command === 'list' ? 1 : 2) || (values.enable && values.disable))
      throw new Error(positionals.length === 0 ? 'a command is missing' : 'the arguments are not valid');
    const enable = values.enable ?? (values.disable ? false : undefined);
    return { run, input: { name, role: ROLES.find((role) => role === values.role), enable } };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

try {
  const { run, input } = parseCommand();
  loadEnvFile();
  const { secrets } = configOrExit(process.env);
  await using database = openDatabase(secrets.databaseUrl, () => {});
  await database.migrate();
  const sessionSecret = () => secrets.sessionSecrets?.[0] ?? developmentSecret('data/session-secret', 48);
  process.stdout.write(`${await run(database, input, sessionSecret)}\n`);
} catch (error) {
  process.stderr.write(`admin: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
