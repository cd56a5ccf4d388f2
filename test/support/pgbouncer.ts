/** Starts PgBouncer in front of a PostgreSQL server. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from './crowd.js';
import { freePort } from './programs.js';

export type PoolMode = 'session' | 'transaction' | 'statement';

interface PgBouncer extends AsyncDisposable {
  /** Returns the URL of a database of the server, through PgBouncer. */
  through(databaseUrl: string): string;
}

const program = 'pgbouncer';
// Debian installs PgBouncer in `/usr/sbin`, which is not in the PATH of other users than root.
const env = { PATH: [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter) };
const POOL_SIZE = 40;

export interface PgBouncerOptions {
  readonly mode: PoolMode;
  /** The user of the server may read version and settings of PgBouncer. */
  readonly showsVersion?: boolean;
}

/** Resolves when PgBouncer accepts connections. Throws if it is not installed. Disposal ends it and all its connections. */
export async function openPgBouncer(
  server: string,
  { mode, showsVersion = false }: PgBouncerOptions,
): Promise<PgBouncer> {
  if (spawnSync(program, ['--version'], { env }).status !== 0)
    throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  const { hostname, port: serverPort, username, password } = new URL(server);
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'tianguis-pgbouncer-'))];
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = [
    ...['[databases]', `* = host=${hostname} port=${serverPort || '5432'}`, '[pgbouncer]'],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = trust', `auth_file = ${users}`, ...(showsVersion ? [`stats_users = ${username}`] : [])],
    ...[`pool_mode = ${mode}`, `default_pool_size = ${POOL_SIZE}`],
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, users, join(folder, 'pgbouncer.ini')]) chmodSync(path, 0o755);
  const user = isRoot ? ['-u', 'postgres'] : [];
  const child = spawn(program, [...user, join(folder, 'pgbouncer.ini')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => {
    log += String(text);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(() => log.includes('process up'), { withinMs: 10_000 }).catch(async () => {
    await close();
    throw new Error(`PgBouncer does not start:\n${log.slice(-1_000)}`);
  });
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    [Symbol.asyncDispose]: close,
  };
}
