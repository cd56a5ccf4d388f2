/** A developer who has never seen the project: a clone, the README, docs/adapting.md, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { freePort } from '../support/programs.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';

const PATIENCE_MS = 600_000;
const UP_MS = 300_000;

let clone: string;
let url: string;
let simulator: { readonly url: string };
let child: ChildProcess | undefined;

beforeEach(async () => {
  clone = copyProject();
  commitAll(clone);
  url = `http://localhost:${await freePort()}`;
  simulator = { url: `http://localhost:${await freePort()}` };
});

afterEach(async () => {
  await stop();
  rmSync(clone, { recursive: true, force: true });
});

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks below a heading, in order, as they stand in the clone. */
function blocksBelow(document: string, heading: string): readonly Block[] {
  const sections = readFileSync(join(clone, document), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${document} has nothing about: ${heading}`);
  return [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

function readText(blocks: readonly Block[], language: string): string {
  return blocks
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('');
}

/** Types a command and waits until the shop that it starts is there. */
async function start(command: string): Promise<void> {
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    ...{ PORT: new URL(url).port, SIMULATOR_PORT: new URL(simulator.url).port },
    // What this machine has downloaded already is not asked for again.
    npm_config_prefer_offline: 'true',
  };
  const started = spawn('bash', ['-c', command], { cwd: clone, env, detached: true });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  const tooLate = Date.now() + UP_MS;
  while (!(await answers())) {
    if (started.exitCode !== null || Date.now() > tooLate) throw new Error(`${command}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const answers = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Ctrl-C: everything that the command has started ends. */
async function stop(): Promise<void> {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child?.once('exit', resolve));
  process.kill(-child.pid, 'SIGINT');
  await gone;
}

async function restart(settings: string): Promise<void> {
  await stop();
  writeFileSync(join(clone, '.env'), settings);
  await start('npm start');
}

function apply(diff: string): void {
  writeFileSync(join(clone, 'change.diff'), diff);
  expect(run(clone, 'git', 'apply', 'change.diff')).toEqual({ code: 0, output: '' });
}

async function buy(): Promise<void> {
  await using visit = await openVisit({ url, simulator });
  await reachHostedPage(visit.page);
  await payWith(visit.page, cards.succeeds);
  await untilOrderIs(visit.page, 'paid');
}

const page = async (path: string, language = 'es') => {
  const answer = await fetch(url + path, { headers: { 'Accept-Language': language } });
  return { status: answer.status, text: await answer.text() };
};

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** What the ERP was told, and under which key. */
async function openErp() {
  const told: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += String(part);
    told.push({ headers: req.headers, body });
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    told,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sales`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test(
  'runs it, sells own goods, and makes it their own, by the code blocks alone',
  async () => {
    await using erp = await openErp();
    const guide = (heading: string) => blocksBelow('docs/adapting.md', heading);

    const [first] = blocksBelow('README.md', 'Quick start');
    await start(first?.text ?? '');
    await buy();

    const sheet = guide('Products from a CSV file');
    writeFileSync(join(clone, 'products.csv'), readText(sheet, 'csv'));
    await restart(readText(sheet, 'sh') + readText(guide('One payment flow'), 'sh'));
    expect((await page('/')).text).toContain('Jabón de avena');
    expect((await page('/')).text).not.toContain('Taza de talavera');
    expect((await page('/checkout/card')).status).toBe(404);

    const language = guide('Another language');
    const changes = [
      guide('Own brand'),
      guide('Another currency format'),
      guide('ERP notification'),
      language,
    ];
    for (const blocks of changes) apply(readText(blocks, 'diff'));
    expect(run(clone, 'bash', '-c', readText(language, 'sh'))).toEqual({ code: 0, output: '' });
    const words = join(clone, 'src/locales/pt.ts');
    writeFileSync(words, readFileSync(words, 'utf8').replace(/\ben:/, 'pt:'));
    await restart(`ERP_URL=${erp.url}\nERP_KEY=a-key-of-the-erp-only\n`);
    await buy();
    await until(() => erp.told.length > 0);

    const [sale] = erp.told;
    expect(sale?.headers['idempotency-key']).toMatch(/\S{8}/);
    expect(JSON.parse(sale?.body ?? '')).toMatchObject({ sold: [{ sku: 'taza-talavera', price: '289.00' }] });
    const window = (await page('/', 'pt')).text;
    expect(window).toContain('<html lang="pt"');
    expect(window).toContain('Casa Jacaranda');
    expect(window).toMatch(/MXN\s289</);
  },
  PATIENCE_MS,
);
