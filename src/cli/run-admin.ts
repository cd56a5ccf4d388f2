/** The command `npm run admin`: adds, lists and changes the users of the back office, and runs the commands of features. */

import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  type AdminCommand,
  type CommandInput,
  changeByCommand,
  findUser,
  type StandardInput,
  UsageError,
} from '../admin/admin-command.js';
import { addAdminUser, hashPassword } from '../admin/credentials.js';
import type { Config } from '../config/config.js';
import { developmentSecret } from '../development-secret.js';
import { FEATURES } from '../features/index.js';
import { createLog } from '../log.js';
import { featuresDirectory, projectRoot } from '../project-root.js';
import { currentShopOf } from '../settings/current-shop.js';
import {
  COMMAND_AUTHOR,
  isAdminName,
  isPasswordLength,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type Role,
} from '../shop/rules/admin-user.js';
import { type AdminUser, findAdminUsers, lockManagers, recordUserEvent } from '../tables/admin-users.js';
import { openDatabase } from '../tables/database.js';
import { mergeServices } from '../web/services.js';
import { fingerprintAssets } from '../web/static-files.js';
import type { CommandProcess, CommandResult } from './command-process.js';

/** A program that pipes no password must not wait forever. */
const INPUT_MS = 10_000;
const FLAG = { type: 'boolean' } as const;
const ROLES: readonly Role[] = mergeServices(FEATURES).roles ?? ['manager'];

const CORE_COMMANDS: Readonly<Record<string, AdminCommand>> = {
  add: {
    usage: [`NAME --role ${ROLES.join('|')}`, 'adds a user'],
    options: { role: { type: 'string' }, 'password-stdin': FLAG },
    async run({ database, name, options, input }) {
      const role = ROLES.find((each) => each === options['role']);
      if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
      if (!isAdminName(name))
        throw new UsageError(
          'the name must have 2 to 40 letters without accents, digits, dots, hyphens or underscores, and begin with a letter',
        );
      const passwordHash = await hashPassword(await readPassword(options, input()));
      await database.transaction(async (queries) => {
        const at = Date.now();
        if (!(await addAdminUser(queries, { name, role, passwordHash }, at)))
          throw new Error(`the name ${name} is taken`);
        const { id: userId } = await findUser(queries, name);
        await recordUserEvent(queries, { userId, at, by: COMMAND_AUTHOR, kind: 'added', role });
      });
      return `${name} was added as ${role}`;
    },
  },
  list: {
    usage: ['', 'lists the users; --json prints them as JSON'],
    options: { json: FLAG },
    async run({ database: { queries }, options }) {
      const users = await findAdminUsers(queries);
      if (options['json']) return JSON.stringify(users.map(describeUser));
      const rows = users.map(({ name, role, totpSecret, disabledAt }) =>
        [name, role, totpSecret ? 'two-step verification' : 'password only', disabledAt ? 'disabled' : 'active'].join(
          '\t',
        ),
      );
      return rows.join('\n') || 'there are no users';
    },
  },
  disable: {
    usage: ['NAME', "ends the user's sessions and refuses sign-ins"],
    async run({ database, name }) {
      await changeByCommand(database, name, 'disabled', () => ({ disabledAt: Date.now() }));
      const managers = await lockManagers(database.queries);
      return managers.length > 0 ? `${name} was disabled` : `${name} was disabled, and no active manager is left`;
    },
  },
  enable: {
    usage: ['NAME', 'allows sign-ins again'],
    async run({ database, name }) {
      await changeByCommand(database, name, 'enabled', () => ({ disabledAt: null }));
      return `${name} was enabled`;
    },
  },
  password: {
    usage: ['NAME', "sets a new password and ends the user's sessions"],
    options: { 'password-stdin': FLAG },
    async run({ database, name, options, input }) {
      const passwordHash = await hashPassword(await readPassword(options, input()));
      await changeByCommand(database, name, 'password_changed', () => ({ passwordHash, mustChangePassword: 0 }));
      return `${name} has a new password`;
    },
  },
};

const COMMANDS: Readonly<Record<string, AdminCommand>> = Object.assign(
  {},
  CORE_COMMANDS,
  ...FEATURES.map(({ adminCommands }) => adminCommands),
);

const usageLines = Object.entries(COMMANDS).map(
  ([name, { usage }]) => `  ${`${name} ${usage[0]}`.padEnd(45)}${usage[1]}\n`,
);
const USAGE = `npm run admin -- COMMAND
${usageLines.join('')}add and password ask for the password. It has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. Without a terminal add --password-stdin,
and pipe the password in: npm run admin -- password NAME --password-stdin < FILE
Exit code: 0 done, 1 failed, 2 invalid arguments.
`;

const describeUser = ({ name, role, totpSecret, disabledAt }: AdminUser) => ({
  name,
  role,
  hasSecondFactor: Boolean(totpSecret),
  isDisabled: disabledAt !== null,
});

async function readPassword(options: CommandInput['options'], input: StandardInput): Promise<string> {
  const password = options['password-stdin'] ? await readInput(input) : await askTwice(input);
  if (isPasswordLength(password)) return password;
  throw new Error(`the password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
}

async function readInput(input: StandardInput): Promise<string> {
  const password = await text(addAbortSignal(AbortSignal.timeout(INPUT_MS), input)).catch(() => {
    throw new Error(
      `standard input did not end within ${INPUT_MS / 1000} s: --password-stdin reads the password from it`,
    );
  });
  return password.replace(/\r?\n$/, '');
}

async function askTwice(input: StandardInput): Promise<string> {
  if (!input.isTTY)
    throw new UsageError(
      'the question for the password needs a terminal. Without one, pipe it in with --password-stdin',
    );
  const password = await askHidden(input, 'Password: ');
  if ((await askHidden(input, 'Repeat the password: ')) !== password) throw new Error('the passwords differ');
  return password;
}

/** The typed characters are written to a stream that discards them. */
async function askHidden(input: StandardInput, question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  process.stderr.write(question);
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}

interface Call extends Pick<CommandInput, 'name' | 'options'> {
  readonly command: AdminCommand;
}

/** Throws `UsageError` for an unknown command, option or number of names. */
function parseCommand([word = '', ...args]: readonly string[]): Call {
  try {
    const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
    if (!command) throw new Error(word === '' ? 'a command is missing' : `there is no command ${word}`);
    const { values, positionals } = parseArgs({ args, options: command.options ?? {}, allowPositionals: true });
    const [name = '', ...others] = positionals;
    if (others.length > 0 || (name !== '') !== command.usage[0].startsWith('NAME'))
      throw new Error('the arguments are not valid');
    return { command, name, options: values };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** Returns the settings of the shop before the merchant changes them. */
function unchangedShop(config: Config) {
  const assetUrl = fingerprintAssets({ publicDirectory: join(projectRoot, 'public'), featuresDirectory });
  return currentShopOf({ config, features: FEATURES, assetUrl, log: createLog(config.logLevel) })(0, new Map());
}

/** Errors are part of the result. */
export async function runAdmin(args: readonly string[], context: CommandProcess): Promise<CommandResult> {
  try {
    return { code: 0, stdout: await main(args, context), stderr: '' };
  } catch (error) {
    const code = error instanceof UsageError ? 2 : 1;
    return { code, stdout: '', stderr: `admin: ${error instanceof Error ? error.message : error}\n` };
  }
}

async function main(args: readonly string[], { readSettings, input }: CommandProcess): Promise<string> {
  if (args.includes('--help')) return USAGE;
  const { command, ...call } = parseCommand(args);
  const { config, secrets } = readSettings();
  await using database = openDatabase(secrets.databaseUrl, () => {});
  await database.migrate();
  const sessionSecret = () => secrets.sessionSecrets?.[0] ?? developmentSecret('data/session-secret', 48);
  const shop = async () => ({ ...(await unchangedShop(config)), config });
  return `${await command.run({ ...call, database, shop, sessionSecret, input })}\n`;
}
