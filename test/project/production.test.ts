/** Checks the content of the production image without Docker: the shop starts and serves without development files. */
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
import { expect, test } from '@jest/globals';
import { buildCopy } from '../support/built-copy.js';
import { freePort, Program } from '../support/programs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'q7Rt0vK2mZ8xL4nB6yW1';

/** The start calls none of these addresses. */
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

/** Returns every path that the Dockerfile removes. */
function removals(): readonly string[] {
  return [...read('Dockerfile').matchAll(/rm -rf ([^&\n]+)/g)].flatMap(([, paths = '']) =>
    paths.trim().split(/\s+/),
  );
}

/** Returns the folders that `npm ci --omit=dev` installs, by the lockfile. */
function productionPackages(): readonly string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/** Removes what the image does not hold. Links are replaced first, so that only files of the copy are removed. */
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

test('the files of the image start in production and serve pages with their files', async () => {
  using copy = buildCopy();
  strip(copy.home);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using shop = new Program({
    name: 'shop',
    script: join(copy.home, 'dist/src/main.js'),
    folder: copy.home,
    env: { ...settings, PORT: String(port) },
    ready: { url: `${url}/healthz` },
  });

  // Symbolic links are kept, because the real folder of a package also holds development packages.
  await shop.start({ nodeOptions: ['--preserve-symlinks'] });

  const page = await (await fetch(url)).text();
  expect(page).toContain('data-test="empty-catalog"');
  const [style = '/none'] = /\/assets\/shop\.css\?v=\w+/.exec(page) ?? [];
  expect((await fetch(url + style)).status).toBe(200);
  expect((await fetch(`${url}/assets/products/taza-talavera.svg`)).status).toBe(200);
});

test('the image is built from src and doctor alone, and copies only files that exist', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const sent = read('.dockerignore').match(/^!.+$/gm) ?? [];

  expect(copied.filter((path) => path.startsWith('tools'))).toEqual(['tools/dev/build.js', 'tools/doctor']);
  expect(removals()).toEqual(['node_modules/.bin']);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(sent.map((line) => line.slice(1)))).toEqual(new Set(copied));
});
