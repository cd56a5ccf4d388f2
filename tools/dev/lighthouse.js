// `npm run lighthouse`: runs Lighthouse against a temporary shop. npx downloads it, because it is larger than the shop.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, openStage } from './stage.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const MIN_SCORE = 98;
const MAX_TRIES = 3;
const PUBLIC_PATHS = ['/', '/products/taza-de-talavera', '/pages/privacy'];
const { shopUrl, simulatorUrl, directory, close } = await openStage({ shopPort: 3481, simulatorPort: 3482 });
try {
  const { cookie, order } = await buy();
  for (const path of [...PUBLIC_PATHS, '/cart', '/checkout', '/checkout/card', '/orders', order]) {
    const scores = bestScores(path, cookie);
    const texts = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
    console.log(`${path.replace(order, '/orders/:token').padEnd(30)} ${texts.join('  ')}`);
    if (!isEnough(scores)) process.exitCode = 1;
  }
} finally {
  close();
}

/** Creates a pending order and a new cart. Returns the session cookie and the path of the order page. */
async function buy() {
  let cookie = '';
  const post = async (path, fields) => {
    const body = new URLSearchParams(fields);
    const request = { method: 'POST', headers: { cookie }, body, redirect: 'manual' };
    const { headers } = await fetch(`${shopUrl}${path}`, request);
    cookie = headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
  };
  const readSeen = async () => {
    const page = await (await fetch(`${shopUrl}/checkout`, { headers: { cookie } })).text();
    return /name="seen" value="([^"]*)"/.exec(page)?.[1];
  };
  const line = { product_id: 'taza-talavera', quantity: 1 };
  const customer = { first_name: 'Eva', last_name: 'Ruiz', email: 'eva@example.com' };
  await post('/cart/items', line);
  await post('/checkout/hosted', { ...customer, shipping_option: 'none', seen: await readSeen() });
  const { result } = await (await fetch(`${simulatorUrl}/_control/sessions`)).json();
  const { pathname } = new URL(result.at(-1).request.return_url);
  await post('/cart/items', line);
  return { cookie, order: pathname.replace('/checkout/return/', '/orders/') };
}

/** Returns the best scores of up to three tries: a busy machine can only lower a score. */
function bestScores(path, cookie) {
  const best = {};
  for (let tries = 0; tries < MAX_TRIES && !(tries > 0 && isEnough(best)); tries += 1)
    for (const [name, score] of Object.entries(scoresOf(path, cookie))) best[name] = Math.max(best[name] ?? 0, score);
  return best;
}

function isEnough(scores) {
  return Object.values(scores).every((score) => score >= MIN_SCORE);
}

function scoresOf(path, cookie) {
  const report = join(directory, 'report.json');
  const headers = join(directory, 'headers.json');
  writeFileSync(headers, JSON.stringify({ Cookie: cookie }));
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-background-networking';
  const output = ['--quiet', '--output=json', `--output-path=${report}`, `--extra-headers=${headers}`, flags];
  // Pages of orders are not indexed on purpose.
  if (path.startsWith('/orders/')) output.push('--skip-audits=is-crawlable');
  execFileSync('npx', ['--yes', LIGHTHOUSE, `${shopUrl}${path}`, ...output], {
    env: { ...process.env, CHROME_PATH: chromium },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)]));
}
