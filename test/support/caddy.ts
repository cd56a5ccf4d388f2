import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './crowd.js';

const CADDYFILE = fileURLToPath(new URL('../../docs/examples/Caddyfile', import.meta.url));

interface CaddyOptions {
  /** Holds its files. */
  readonly folder: string;
  readonly port: number;
  readonly shopPort: number;
}

/** Starts Caddy with the Caddyfile in front of a port, without TLS and without its admin port. */
export async function openCaddy({ folder, port, shopPort }: CaddyOptions) {
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'Caddyfile');
  writeFileSync(config, readFileSync(CADDYFILE, 'utf8').replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off'));
  const child: ChildProcess = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
    env: { PATH: process.env['PATH'], HOME: folder, PUBLIC_URL: url, SHOP: `127.0.0.1:${shopPort}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (text) => {
    log += String(text);
  });
  const answers = () =>
    fetch(`${url}/metrics`).then(
      ({ status }) => status === 404,
      () => false,
    );
  await until(answers, { everyMs: 20 }).catch(() => {
    throw new Error(log);
  });
  return {
    url,
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
