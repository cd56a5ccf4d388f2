/** A PostgreSQL server for one test, which the test may crash. */
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './programs.js';

const execute = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Crashes the server: all connections break and it recovers from its write-ahead log. */
  crash(): Promise<void>;
}

/** Returns the folder of the newest PostgreSQL programs, or `undefined` without an installation. */
export function findPostgres(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const newest = readdirSync(DEBIAN)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, 'bin'));
  return newest.find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Starts a new server on its own port in a temporary folder. Disposing of it stops the server and removes the
 * folder.
 */
export async function openPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-postgres-'));
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster);
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, cluster]) chownSync(path, idOf('postgres', '-u'), idOf('postgres', '-g'));
  const run = (program: string, ...rest: readonly string[]) => {
    const command = [join(programs, program), '-D', cluster, ...rest];
    const [first = '', ...others] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    return execute(first, others, { cwd: folder });
  };
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const control = (...rest: readonly string[]) =>
    run('pg_ctl', '-w', '-s', '-m', 'immediate', '-l', join(folder, 'log'), ...rest);
  await run('initdb', '-U', 'postgres', '-A', 'trust', '--no-sync');
  await control('-o', settings, 'start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async crash() {
      await control('restart');
    },
    async [Symbol.asyncDispose]() {
      await control('stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(user: string, flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
}
