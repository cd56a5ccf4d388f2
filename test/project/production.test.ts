/** What the Dockerfile puts into its image, without the image: it starts and serves with nothing that is for development. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildCopy } from '../support/built-copy.js';
import { until } from '../support/crowd.js';
import { freePort } from '../support/programs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'q7Rt0vK2mZ8xL4nB6yW1';

/** Nothing is called at the start: these places need not be there. */
const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://tienda.example',
  SESSION_SECRET: `${SECRET}${SECRET}`,
  PAYMENTS_BASE_URL: 'https://app.pay.example',
  CHECKOUT_API_URL: 'https://api.pay.example',
  PAYMENTS_API_KEY: `live_${SECRET}`,
  TOKENIZER_URL: 'https://vault.pay.example/token',
  WEBHOOK_AUTH: `bearer:${SECRET}`,
  TRUST_PROXY: '1',
};

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Every path that the Dockerfile takes out again. */
function removals(): readonly string[] {
  return [...read('Dockerfile').matchAll(/rm -rf ([^&\n]+)/g)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/),
  );
}

/** What `npm ci --omit=dev` installs, by the lockfile. */
function productionPackages(): readonly string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

describe('the built shop, stripped as in the image', () => {
  let copy: ReturnType<typeof buildCopy>;
  let child: ChildProcess | undefined;
  let output = '';

  beforeAll(() => {
    copy = buildCopy();
    strip(copy.home);
  }, 60_000);

  afterAll(() => {
    child?.kill('SIGKILL');
    copy[Symbol.dispose]();
  });

  test('starts in production, answers, and its pages have their files', async () => {
    const url = `http://127.0.0.1:${await start()}`;
    const health = await fetch(`${url}/healthz`);
    const page = await (await fetch(url)).text();
    const [style = '/none'] = /\/assets\/shop\.css\?v=\w+/.exec(page) ?? [];

    expect(health.status).toBe(200);
    expect((await fetch(url + style)).status).toBe(200);
    expect(page).toContain('/products/');
  });

  async function start(): Promise<number> {
    const port = await freePort();
    const env = { PATH: process.env['PATH'], ...settings, PORT: String(port) };
    // Links are not followed to where the packages really are: others stand beside them there.
    const started = spawn(process.execPath, ['--preserve-symlinks', 'dist/src/main.js'], {
      cwd: copy.home,
      env,
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (bytes) => {
        output += String(bytes);
      });
    await until(() => output.includes('"process.started"') || started.exitCode !== null, {
      withinMs: 60_000,
      everyMs: 10,
    });
    if (started.exitCode !== null) throw new Error(output);
    return port;
  }
});

/** Never through a link: what it removes must be the copy's own. */
function strip(home: string): void {
  for (const name of ['views', 'public']) {
    unlinkSync(join(home, name));
    cpSync(join(root, name), join(home, name), { recursive: true });
  }
  unlinkSync(join(home, 'node_modules'));
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    symlinkSync(join(root, path), join(home, path));
  }
  for (const tool of readdirSync(join(home, 'dist/tools')).filter((name) => name !== 'doctor'))
    rmSync(join(home, 'dist/tools', tool), { recursive: true });
  for (const path of removals())
    rmSync(join(home, path.replace('.*', '.js')), { recursive: true, force: true });
}

test('the image is built from src and doctor alone, and copies only what there is', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const sent = read('.dockerignore').match(/^!.+$/gm) ?? [];

  expect(copied.filter((path) => path.startsWith('tools'))).toEqual(['tools/dev/build.js', 'tools/doctor']);
  expect(removals()).toContain('node_modules/typescript');
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(sent.map((line) => line.slice(1)))).toEqual(new Set(copied));
});
