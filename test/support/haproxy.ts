/** Starts HAProxy in front of the shops of a test, with the example configuration from the documentation. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './crowd.js';
import { freePort } from './programs.js';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/haproxy.cfg', import.meta.url));

export interface ProxyServer extends AsyncDisposable {
  readonly url: string;
}

const program = 'haproxy';
// Debian installs HAProxy in `/usr/sbin`, which is not in the PATH of other users than root.
const env = { PATH: [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter) };

export const hasHaproxy = spawnSync(program, ['-v'], { env }).status === 0;

/** Starts HAProxy on `port` in front of two shops. Resolves when it accepts connections; throws if it does not. */
export async function openProxy({
  port,
  shops,
}: {
  readonly port: number;
  readonly shops: readonly number[];
}): Promise<ProxyServer> {
  if (!hasHaproxy) throw new Error('haproxy is not installed: apt-get install haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-proxy-'));
  const path = join(folder, 'haproxy.cfg');
  const socket = join(folder, 'admin.sock');
  writeFileSync(path, configuration({ port, shops, plainPort: await freePort(), socket }));
  const check = spawnSync(program, ['-c', '-dW', '-f', path], { encoding: 'utf8', env });
  if (check.status !== 0) throw new Error(`HAProxy rejects the example configuration: ${check.stdout}${check.stderr}`);
  const child = spawn(program, ['-db', '-f', path], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += String(text);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(() => listens(port)).catch(async () => {
    await close();
    throw new Error(`HAProxy does not listen:\n${errors.slice(-1_000)}`);
  });
  return {
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: close,
  };
}

interface Addresses {
  readonly port: number;
  readonly plainPort: number;
  readonly shops: readonly number[];
  readonly socket: string;
}

/** Returns the example with loopback addresses and without TLS. Throws if a text to be replaced is missing. */
function configuration({ port, plainPort, shops, socket }: Addresses): string {
  const isRoot = process.getuid?.() === 0;
  const changes: readonly (readonly [string, string])[] = [
    // Only root can change the user of a process.
    ...(isRoot ? [] : ([['    user haproxy\n    group haproxy\n', '']] as const)),
    ['bind :443 ssl crt /etc/haproxy/certs/shop.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['10.0.0.11:3000', `127.0.0.1:${shops[0]}`],
    ['10.0.0.12:3000', `127.0.0.1:${shops[1]}`],
    ['/run/haproxy/admin.sock', socket],
  ];
  return changes.reduce(
    (text, [before, after]) => {
      if (!text.includes(before)) throw new Error(`the example configuration lacks: ${before}`);
      return text.replaceAll(before, after);
    },
    readFileSync(EXAMPLE, 'utf8'),
  );
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
