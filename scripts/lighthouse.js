// Lighthouse over a shop of its own: `npm run lighthouse`. Fetched by npx when it is wanted: it weighs more than the shop does.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LEAST = 98;
const TRIES = 3;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const root = fileURLToPath(new URL('..', import.meta.url));
const [shopPort, simulatorPort] = [3481, 3482];
const shopUrl = `http://localhost:${shopPort}`;
const simulatorUrl = `http://localhost:${simulatorPort}`;
const directory = mkdtempSync(join(tmpdir(), 'tianguis-lighthouse-'));
const chrome = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const env = {
  ...process.env,
  PORT: String(shopPort),
  SIMULATOR_PORT: String(simulatorPort),
  PUBLIC_URL: shopUrl,
  PAYMENTS_BASE_URL: simulatorUrl,
  CHECKOUT_API_URL: simulatorUrl,
  PAYMENTS_API_KEY: 'test_simulator_key',
  TOKENIZER_URL: `${simulatorUrl}/vault/v1/gateway/inboundRoutes/demo/token`,
  WEBHOOK_AUTH: 'bearer:simulator-webhook-secret',
  LOG_LEVEL: 'silent',
};
const programs = ['dist/simulator/main.js', 'dist/main.js'].map((path) =>
  spawn(process.execPath, [join(root, path)], { cwd: directory, env, stdio: 'ignore' }),
);
try {
  await untilServed(`${shopUrl}/readyz`);
  await untilServed(simulatorUrl);
  const { cookie, order } = await buy();
  const product = '/products/taza-de-talavera';
  for (const path of ['/', product, '/cart', '/checkout', '/checkout/card', '/orders', order]) {
    const scores = best(path, cookie);
    const told = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
    console.log(`${path.replace(order, '/orders/:token').padEnd(30)} ${told.join('  ')}`);
    if (Object.values(scores).some((score) => score < LEAST)) process.exitCode = 1;
  }
} finally {
  for (const program of programs) program.kill('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}

/** A cart for the pages that need one, and the page of an order that waits for its payment. */
async function buy() {
  let cookie = '';
  const post = async (path, body) => {
    const headers = { ...FORM, ...(cookie !== '' && { cookie }) };
    const answer = await fetch(`${shopUrl}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer.headers.get('location') ?? '';
  };
  const add = () => post('/cart/items', 'product_id=taza-talavera&quantity=1');
  await add();
  await post('/checkout/hosted', 'first_name=Eva&last_name=Ruiz&email=eva%40example.com');
  const asked = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const { result } = await (await fetch(`${simulatorUrl}/_control/sessions`, asked)).json();
  const { return_url: back } = result.at(-1).request;
  await add();
  return { cookie, order: new URL(back).pathname.replace('/checkout/return/', '/orders/') };
}

/** The best of a few tries: a busy machine makes a page slower, and nothing makes it faster than it is. */
function best(path, cookie) {
  const found = {};
  for (let turn = 0; turn < TRIES; turn += 1) {
    for (const [name, score] of Object.entries(scoresOf(path, cookie)))
      found[name] = Math.max(found[name] ?? 0, score);
    if (Object.values(found).every((score) => score >= LEAST)) break;
  }
  return found;
}

function scoresOf(path, cookie) {
  const report = join(directory, 'report.json');
  const headers = join(directory, 'headers.json');
  writeFileSync(headers, JSON.stringify({ Cookie: cookie }));
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-background-networking';
  const output = ['--quiet', '--output=json', `--output-path=${report}`, `--extra-headers=${headers}`, flags];
  execFileSync('npx', ['--yes', LIGHTHOUSE, `${shopUrl}${path}`, ...output], {
    env: { ...process.env, CHROME_PATH: chrome },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)]));
}

async function untilServed(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const served = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (served) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
