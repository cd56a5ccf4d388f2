/** `npm run admin`: adds, lists and changes the users of the back office. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { addAdminUser, hashPassword, newTotpSecret, totpAddress } from '../admin/credentials.js';
import { sealTotpSecret } from '../admin/totp-secret.js';
import { type AdminUserChange, findAdminUserByName, findAdminUsers, updateAdminUser } from '../db/admin-users.js';
import { openDatabase, type Queries } from '../db/connection/database.js';
import { developmentSecret } from '../development-secret.js';
import { isAdminName, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, ROLES, type Role } from '../domain/admin-user.js';
import { loadEnvFile } from '../env-file.js';
import { configOrExit } from '../process-lifecycle.js';

const USAGE = `npm run admin -- COMMAND
  add NAME --role viewer|fulfillment|manager   adds a user
  list                                         lists the users
  disable NAME                                 ends the user's sessions and refuses sign-ins
  enable NAME                                  allows sign-ins again
  password NAME                                sets a new password and ends the user's sessions
  totp NAME --enable|--disable                 adds or removes the second factor
add and password ask for the password. It has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. Without a terminal they read it from standard input.
Exit code: 0 done, 1 failed, 2 invalid arguments.
`;

const OPTIONS = {
  role: { type: 'string' },
  enable: { type: 'boolean' },
  disable: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** The arguments are not valid. */
class UsageError extends Error {}

interface Input {
  readonly name: string;
  readonly role: Role | undefined;
  readonly enable: boolean | undefined;
}

/** Returns what to print. */
type Command = (queries: Queries, input: Input, sessionSecret: () => string) => Promise<string>;

const COMMANDS: Readonly<Record<string, Command>> = {
  async add(queries, { name, role }) {
    if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
    if (!isAdminName(name))
      throw new UsageError(
        'the name must have 2 to 40 letters without accents, digits, dots, hyphens or underscores, and begin with a letter',
      );
    const passwordHash = await hashPassword(await readPassword());
    if (!(await addAdminUser(queries, { name, role, passwordHash }, Date.now())))
      throw new Error(`the name ${name} is taken`);
    return `${name} was added as ${role}`;
  },
  async list(queries) {
    const users = await findAdminUsers(queries);
    const rows = users.map(({ name, role, totpSecret, disabledAt }) =>
      [name, role, totpSecret ? 'second factor' : 'password only', disabledAt ? 'disabled' : 'active'].join('\t'),
    );
    return rows.join('\n') || 'there are no users';
  },
  async disable(queries, { name }) {
    await change(queries, name, { disabledAt: Date.now() });
    return `${name} was disabled`;
  },
  async enable(queries, { name }) {
    await change(queries, name, { disabledAt: null });
    return `${name} was enabled`;
  },
  async password(queries, { name }) {
    await change(queries, name, { passwordHash: await hashPassword(await readPassword()) });
    return `${name} has a new password`;
  },
  async totp(queries, { name, enable }, sessionSecret) {
    if (enable === undefined) throw new UsageError('add --enable or --disable');
    const user = await findAdminUserByName(queries, name);
    const secret = newTotpSecret();
    await change(queries, name, {
      totpSecret: user && enable ? sealTotpSecret(secret, user.id, sessionSecret()) : null,
    });
    if (!enable) return `${name} signs in without a second factor`;
    return `${name} signs in with a second factor. Enter the secret or the address in an authenticator app:
  secret   ${secret}
  address  ${totpAddress(secret, name)}`;
  },
};

async function change(queries: Queries, name: string, values: Omit<AdminUserChange, 'updatedAt'>): Promise<void> {
  if (!(await updateAdminUser(queries, name, { ...values, updatedAt: Date.now() })))
    throw new Error(`there is no user ${name}`);
}

async function readPassword(): Promise<string> {
  const password = process.stdin.isTTY
    ? await askHidden('Password: ')
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  if (process.stdin.isTTY && (await askHidden('Repeat the password: ')) !== password)
    throw new Error('the passwords differ');
  if (password.length >= MIN_PASSWORD_LENGTH && password.length <= MAX_PASSWORD_LENGTH) return password;
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
  const sessionSecret = () => secrets.sessionSecret ?? developmentSecret('data/session-secret', 48);
  process.stdout.write(`${await run(database.queries, input, sessionSecret)}\n`);
} catch (error) {
  process.stderr.write(`admin: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
