/** The steps of an adopter: a clone, the code blocks of README.md and docs/adapting.md, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { until } from '../support/crowd.js';
import { openServer } from '../support/http.js';
import { linkPackages } from '../support/link-packages.js';
import { freePort } from '../support/programs.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { cards, fillCart, fillContact, payWith, submitHosted, untilOrderIs } from '../support/steps.js';

const TEST_MS = 600_000;
const START_MS = 300_000;
const clone = copyProject();
commitAll(clone);
// The packages of this project, because `npm ci` would take most of the time. The CI runs it in a clean checkout.
linkPackages(clone);
const url = `http://localhost:${await freePort()}`;
const simulator = { url: `http://localhost:${await freePort()}` };
let child: ChildProcess | undefined;

afterAll(async () => {
  await stop();
  rmSync(clone, { recursive: true, force: true });
});

/** Returns the code blocks of a language below a heading. */
function blocksBelow(document: string, heading: string, language: string): readonly string[] {
  const sections = readFileSync(join(clone, document), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${document} has no heading ${heading}`);
  const blocks = [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, tag, text = '']) => (tag === language ? [text] : []));
}

const guide = (heading: string, language: string) => blocksBelow('docs/adapting.md', heading, language).join('');

/** Runs a command and waits until the shop that it starts is ready. */
async function start(command: string): Promise<void> {
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    ...{ PORT: new URL(url).port, SIMULATOR_PORT: new URL(simulator.url).port },
    npm_config_prefer_offline: 'true',
  };
  const started = spawn('bash', ['-c', command], { cwd: clone, env, detached: true });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  const isReady = () =>
    fetch(`${url}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  const verified = async () => started.exitCode !== null || (await isReady());
  await until(verified, { withinMs: START_MS });
  if (started.exitCode !== null) throw new Error(`${command}: ${output}`);
}

/** Ends the command and everything that it started, as Ctrl-C does. */
async function stop(): Promise<void> {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child?.once('exit', resolve));
  process.kill(-child.pid, 'SIGINT');
  await gone;
}

async function buy(productId?: string): Promise<void> {
  await using visit = await openVisit({ url, simulator });
  const { page } = visit;
  await fillCart(page, productId);
  await page.goto('/checkout');
  await fillContact(page);
  await submitHosted(page);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
}

async function getPage(path: string, language: string) {
  const answer = await fetch(url + path, { headers: { 'Accept-Language': language } });
  return { status: answer.status, text: await answer.text() };
}

/** An ERP that records the sales that it receives. */
async function openErp() {
  const sales: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = await openServer(async (req, res) => {
    sales.push({ headers: req.headers, body: await text(req) });
    res.end();
  });
  return { ...server, sales, url: `${server.url}/sales` };
}

test(
  'an adopter runs the shop, sells own products and adapts brand, ERP and language with the code of the documents',
  async () => {
    await using erp = await openErp();

    const [quickStart = ''] = blocksBelow('README.md', 'Quick start', 'sh');
    expect(quickStart).toContain('npm ci && npm start');
    await start(quickStart.replace('npm ci && ', ''));
    await buy();
    await stop();

    // The tool may be deleted.
    const hasSetup = existsSync(join(clone, 'tools/setup'));
    if (hasSetup) expect(run(clone, 'bash', '-c', guide('Own brand', 'sh'))).toMatchObject({ code: 0 });
    for (const heading of ['ERP notification', 'Another language'])
      expect(run(clone, 'bash', '-c', guide(heading, 'sh'))).toMatchObject({ code: 0 });
    writeFileSync(join(clone, 'products.csv'), guide('Own products', 'csv'));
    const settings = [guide('One payment flow', 'sh'), `ERP_URL=${erp.url}\nERP_KEY=a-key-of-the-erp-only\n`];
    writeFileSync(join(clone, '.env'), settings.join(''));
    expect(run(clone, 'bash', '-c', guide('Own products', 'sh'))).toMatchObject({ code: 0 });
    await start('npm start');
    await buy('jabon-avena');
    // The hook of the first purchase may run after the restart, too.
    const findSale = () => erp.sales.find(({ body }) => body.includes('jabon-avena'));
    await until(() => findSale() !== undefined, { withinMs: 60_000 });

    const sale = findSale();
    expect(sale?.headers['idempotency-key']).toMatch(/\S{8}/);
    expect(JSON.parse(sale?.body ?? '')).toMatchObject({
      lines: expect.arrayContaining([expect.objectContaining({ productId: 'jabon-avena', unitPrice: 4550 })]),
    });
    const { text } = await getPage('/pt', 'pt');
    const name = hasSetup ? ['Casa Jacaranda'] : [];
    for (const part of ['<html lang="pt"', ...name, 'Jabón de avena']) expect(text).toContain(part);
    expect(text).not.toContain('Taza de talavera');
    expect((await getPage('/checkout/card', 'es')).status).toBe(404);
  },
  TEST_MS,
);
