import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './crowd.js';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
/** The command of docs/running.md for several shops. */
const SEVERAL = /^sed -i '(.+)' \/etc\/caddy\/Caddyfile$/m;

interface CaddyOptions {
  /** Holds its files. */
  readonly folder: string;
  readonly port: number;
  readonly shopPorts: readonly number[];
}

/** Starts Caddy with the Caddyfile in front of one or two shops, without TLS and without its admin port. */
export async function openCaddy({ folder, port, shopPorts }: CaddyOptions) {
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'Caddyfile');
  const example = readFileSync(join(docs, 'examples/Caddyfile'), 'utf8');
  writeFileSync(config, example.replace(/^\{$/m, '{\n\tadmin off\n\tauto_https off'));
  if (shopPorts.length > 1) useSeveral(config, shopPorts);
  const child: ChildProcess = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
    env: { PATH: process.env['PATH'], HOME: folder, PUBLIC_URL: url, SHOP: `127.0.0.1:${shopPorts[0]}` },
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

/** Changes the configuration as docs/running.md does, with these ports. */
function useSeveral(config: string, [first, second]: readonly number[]): void {
  const [, change = ''] = SEVERAL.exec(readFileSync(join(docs, 'running.md'), 'utf8')) ?? [];
  execFileSync('sed', ['-i', change, config]);
  const changed = readFileSync(config, 'utf8');
  const ports = changed.replaceAll('127.0.0.1:3000 127.0.0.1:3001', `127.0.0.1:${first} 127.0.0.1:${second}`);
  if (ports === changed) throw new Error('docs/running.md names no second shop');
  writeFileSync(config, ports);
}
