/** A database that is backed up and restored by the commands of docs/running.md. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPostgres, openPostgres } from '../../../../test/support/postgres-server.js';

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
const postgres = findPostgres();

export interface DocumentedDatabase extends AsyncDisposable {
  readonly url: string;
  /** Returns the file of a new backup. The shop may run. */
  backUp(): string;
  /** Replaces the database by a backup. The shop must not run. */
  restore(backup: string): void;
}

export const hasSqliteTool = spawnSync('sqlite3', ['--version']).error === undefined;
export const hasPostgres = postgres !== undefined;

export async function openDocumentedSqlite(): Promise<DocumentedDatabase> {
  return openDatabase('To restore SQLite from a file `BACKUP`:', (folder) => `file:${folder}/tianguis.db`);
}

/** Starts a PostgreSQL server with role and database as docs/running.md creates them. */
export async function openDocumentedPostgres(): Promise<DocumentedDatabase> {
  const server = await openPostgres(postgres ?? '');
  const { hostname, port } = new URL(server.url);
  const env = { PATH: [postgres, process.env['PATH']].join(delimiter), PGHOST: hostname, PGPORT: port };
  const database = openDatabase(
    'To restore PostgreSQL:',
    () => `postgres://tianguis@${hostname}:${port}/tianguis`,
    env,
  );
  runCommands(commandsAfter('For PostgreSQL, run before the start:').replace(/^apt-get .*$/m, ''), env);
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function openDatabase(
  heading: string,
  urlIn: (folder: string) => string,
  env: Readonly<Record<string, string | undefined>> = { PATH: process.env['PATH'] },
): DocumentedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-backup-'));
  const [data, backups] = [join(folder, 'data'), join(folder, 'backups')];
  for (const path of [data, backups]) mkdirSync(path);
  const url = urlIn(data);
  return {
    url,
    backUp() {
      execFileSync(join(docs, 'examples/backup.sh'), [backups], { env: { ...env, DATABASE_URL: url } });
      return join(backups, readdirSync(backups).sort().at(-1) ?? '');
    },
    restore(backup) {
      const commands = commandsAfter(heading).replaceAll('/var/lib/tianguis/data', data);
      runCommands(commands.replaceAll('BACKUP', backup), env);
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns the commands of docs/running.md behind a line. */
function commandsAfter(line: string): string {
  const [, rest = ''] = readFileSync(join(docs, 'running.md'), 'utf8').split(`\n${line}\n\n\`\`\`sh\n`);
  const [commands = ''] = rest.split('```');
  if (!commands) throw new Error(`docs/running.md has no commands after: ${line}`);
  return commands;
}

/** Stand-ins for what needs root and systemd: the users of the machine become users of the database. */
const STAND_INS = `set -eu
systemctl() { :; }
runuser() { user=$2; shift 3; PGUSER=$user "$@"; }
install() { shift 4; command install "$@"; }
`;

function runCommands(commands: string, env: Readonly<Record<string, string | undefined>>): void {
  execFileSync('sh', ['-c', STAND_INS + commands], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
