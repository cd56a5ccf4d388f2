/** Builds the image of the Dockerfile, and starts the programs of image and compose.yaml, with Buildah in place of Docker. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startSimulator } from '@tianguis/gateway-tools';
import pg from 'pg';
import { openCaddy } from '../support/caddy.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { findPostgres, openPostgres } from '../support/postgres-server.js';
import { PRODUCTION } from '../support/production-settings.js';
import { freePort } from '../support/programs.js';
import { copyProject } from '../support/project-copy.js';
import { payByCard } from '../support/purchase.js';
import { API_KEY, WEBHOOK_TOKEN } from '../support/test-shop.js';
import { buildImage, whyNoImage } from './support/image.js';

const reason = whyNoImage();
if (reason) console.warn(`No image is built: ${reason}`);
const testImage = reason ? test.skip : test;
const postgres = findPostgres();
const hasServices = postgres !== undefined && spawnSync('caddy', ['version']).error === undefined;
if (!hasServices) console.warn('compose.yaml is not tried: apt-get install postgresql caddy');
const testServices = !reason && (hasServices || process.env['CI'] === 'true') ? test : test.skip;

// Long enough for two installations of packages on a busy machine. Each step has its own limit.
jest.setTimeout(900_000);

let image: Awaited<ReturnType<typeof buildImage>>;
let work: string;

beforeAll(async () => {
  if (reason) return;
  work = mkdtempSync(join(tmpdir(), 'tianguis-image-'));
  const shop = copyProject();
  customize(shop);
  image = await buildImage(shop).finally(() => rmSync(shop, { recursive: true }));
});
afterAll(async () => {
  await image?.[Symbol.asyncDispose]();
  if (work) rmSync(work, { recursive: true });
});

const MERCHANT =
  "merchant: { legalName: 'Muebles Ruiz, S.A.', address: 'Hidalgo 5', phone: '414 123 4567', email: 'hola@ruiz.mx', rfc: 'MRU010101AB1' }";

/** Replaces the samples, with which production does not start. Adds what must not reach the image. */
function customize(shop: string): void {
  const brand = join(shop, 'src/locales/brand.ts');
  const source = readFileSync(brand, 'utf8').replace(/^ {2}merchant: \{[^}]*\}/m, `  ${MERCHANT}`);
  writeFileSync(brand, source.replace(/^ {2}name: .*,$/m, "  name: 'Muebles Ruiz',"));
  const pages = readdirSync(join(shop, 'content'), { recursive: true, encoding: 'utf8' });
  for (const page of pages.filter((name) => name.endsWith('.md')))
    writeFileSync(join(shop, 'content', page), '# Una\n');
  mkdirSync(join(shop, 'data'), { recursive: true });
  for (const path of ['.env', 'data/tianguis.db', 'postgres-password']) appendFileSync(join(shop, path), 'secret');
}

/** Opens a gateway outside of the image, and the settings of a shop at this address that uses it. */
async function openGateway(url: string, port: number) {
  const webhook = { url: `${url}/webhooks/payments`, auth: { scheme: 'bearer', token: WEBHOOK_TOKEN } } as const;
  const simulator = await startSimulator({
    ...{ port: 0, host: 'localhost', apiKey: API_KEY, webhook, profile: 'interface' },
  });
  // Production refuses the simulator.
  const env = {
    ...{ NODE_ENV: 'development', HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, TRUST_PROXY: '1' },
    ...{ PAYMENTS_BASE_URL: simulator.url, CHECKOUT_API_URL: simulator.url, PAYMENTS_API_KEY: API_KEY },
    ...{ TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token` },
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
  };
  return { control: simulator.control, env, [Symbol.asyncDispose]: () => simulator.close() };
}

/** Buys through both payment flows. Returns the states of the orders. */
async function buyTwice(url: string, { control }: Awaited<ReturnType<typeof openGateway>>) {
  const customer = await Customer.withCart({ url });
  const session = sessionIdOf((await customer.payHosted()).headers['location']);
  control.paySession(session);
  const returnUrl = control.sessions().find(({ id }) => id === session)?.request.return_url ?? '';
  const byPage = await customer.get(new URL(returnUrl).pathname);
  await customer.add();
  const byCard = await payByCard({ control }, customer);
  const orders = [byPage, byCard].map(({ headers }) => customer.get(headers['location'] ?? ''));
  return (await Promise.all(orders)).map(({ text }) => readOrderPage(text).state);
}

const MAIN = ['node', 'dist/src/main.js'];
const STARTED = 'process.started';
/** Buildah leaves the input of root unreadable for `node`, so `cat` forwards it. */
const IMPORT = ['sh', '-c', 'cat | exec node dist/src/cli/catalog.js import /dev/stdin'];
const catalog = readFileSync(CATALOG_FILE, 'utf8');

testImage(
  'the image with SQLite migrates, starts in production, sells, is healthy, and ends after SIGTERM',
  async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    await using gateway = await openGateway(url, port);
    const container = await image.open();
    const production = { env: { ...PRODUCTION, PORT: String(port), HOST: '127.0.0.1' } };
    const health = () => container.run(image.config.Healthcheck.Test.slice(1), production);

    expect(await container.run(['node', 'dist/src/migrate.js'], production)).toMatchObject({ code: 0 });
    expect(await container.run(IMPORT, { ...production, input: catalog })).toMatchObject({ code: 0 });
    const doctor = await container.run(['node', 'dist/tools/doctor/main.js', '--offline'], production);
    expect(doctor.output).toMatch(/\d+ checks passed/);
    await using worker = await container.start(['node', 'dist/src/worker.js'], 'worker.started', production);
    await using shop = await container.start(image.config.Cmd, STARTED, production);
    expect(await health()).toEqual({ code: 0, output: '' });
    expect([await worker.stop('SIGTERM'), await shop.stop(image.config.StopSignal as 'SIGTERM')]).toEqual([0, 0]);
    expect((await health()).code).toBe(1);

    await using seller = await container.start(MAIN, STARTED, gateway);
    expect(await buyTwice(url, gateway)).toEqual(['paid', 'paid']);
    expect(await seller.stop('SIGTERM')).toBe(0);
  },
);

testImage(
  'programs of the image run as node, may write data and temporary folders only, and find neither simulator, tests nor secrets',
  async () => {
    const container = await image.open();
    const shell = async (command: string): Promise<readonly string[]> => {
      // `buildah run` may lose the output of a program that ends at once.
      for (let tries = 0; tries < 5; tries += 1) {
        const { output } = await container.run(['sh', '-c', `${command}; echo end`]);
        const lines = output.trim().split('\n');
        if (lines.at(-1) === 'end') return lines.slice(0, -1);
      }
      throw new Error(`no output of ${command}`);
    };

    expect(await shell('id -un')).toEqual(['node']);
    const writable = await shell("find / -xdev -writable -not -path '/proc/*' -not -path '/dev/*' 2>/dev/null");
    expect(writable.filter((path) => !/^\/(?:tmp|var\/tmp|var\/lock|run\/lock|dev)$/.test(path))).toEqual([
      '/srv/tianguis/data',
    ]);
    expect(new Set(await shell('ls -A'))).toEqual(
      new Set(['content', 'data', 'dist', 'node_modules', 'package.json', 'packages', 'public', 'views']),
    );
    expect(await shell('ls -A dist dist/tools data')).toEqual([
      'data:',
      '',
      'dist:',
      'src',
      'tools',
      '',
      'dist/tools:',
      'doctor',
    ]);
    expect(
      await shell('grep -rlE "^secret" /srv/tianguis --include=.env --include="*.db" --include="*password*"'),
    ).toEqual([]);
    expect(await shell('ls -d node_modules/jest node_modules/typescript 2>/dev/null')).toEqual([]);
  },
);

/** Returns entrypoint and command of the shop in compose.yaml. */
function composeCommand(): readonly string[] {
  const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
  const [, entrypoint = '', command = ''] =
    /^ {4}entrypoint:\n((?: {6}- .+\n)+) {4}command: \[(.+)\]$/m.exec(text) ?? [];
  const items = [...entrypoint.matchAll(/^ {6}- (.+)$/gm)].map(([, item = '']) => item.replace(/^'(.*)'$/, '$1'));
  return [...items, ...command.split(', ')].map((item) => item.replaceAll('$$', '$'));
}

testServices('the shop of compose.yaml sells with PostgreSQL behind Caddy, and writes only its data', async () => {
  await using database = await openPostgres(postgres ?? '');
  const client = new pg.Client(database.url);
  await client.connect();
  for (const statement of ['create role tianguis superuser login', 'create database tianguis owner tianguis'])
    await client.query(statement);
  await client.end();
  const port = await freePort();
  await using proxy = await openCaddy({ folder: work, port: await freePort(), shopPorts: [port] });
  await using gateway = await openGateway(proxy.url, port);
  const secret = join(work, 'postgres-password');
  writeFileSync(secret, 'letters0and1digits', { mode: 0o644 });
  const container = await image.open('--add-host', 'postgres:127.0.0.1');
  const options = {
    env: { ...gateway.env, PGPORT: new URL(database.url).port },
    options: ['--volume', `${secret}:/run/secrets/postgres-password:ro`],
  };
  const command = composeCommand();
  const before = Date.now() / 1000;

  const imported = await container.run([...command.slice(0, -2), ...IMPORT], { ...options, input: catalog });
  expect(imported).toMatchObject({ code: 0 });
  await using shop = await container.start(command, STARTED, options);
  expect(await buyTwice(proxy.url, gateway)).toEqual(['paid', 'paid']);
  expect(shop.output()).not.toContain('letters0and1digits');
  expect(await shop.stop('SIGTERM')).toBe(0);
  const written = spawnSync('find', [container.files, '-newermt', `@${before}`, '-type', 'f', '-printf', '/%P\n']);
  // Buildah itself writes into /run.
  expect(
    String(written.stdout)
      .split('\n')
      .filter((path) => !/^(?:$|\/run\/)/.test(path)),
  ).toEqual([]);
});
