// `npm run lighthouse`: runs Lighthouse against a temporary shop. npx downloads it, because it is larger than the shop.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, openStage } from './stage.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LEAST = 98;
const TRIES = 3;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const { shopUrl, simulatorUrl, directory, close } = await openStage({ shopPort: 3481, simulatorPort: 3482 });
try {
  const { cookie, order } = await buy();
  const product = '/products/taza-de-talavera';
  for (const path of [
    '/',
    product,
    '/pages/privacy',
    '/cart',
    '/checkout',
    '/checkout/card',
    '/orders',
    order,
  ]) {
    const scores = best(path, cookie);
    const told = Object.entries(scores).map(([name, score]) => `${name} ${score}`);
    console.log(`${path.replace(order, '/orders/:token').padEnd(30)} ${told.join('  ')}`);
    if (Object.values(scores).some((score) => score < LEAST)) process.exitCode = 1;
  }
} finally {
  close();
}

/** Creates a pending order and a new cart. Returns the session cookie and the path of the order page. */
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
  await post(
    '/checkout/hosted',
    'first_name=Eva&last_name=Ruiz&email=eva%40example.com&shipping_option=pickup&seen_total=28900',
  );
  const { result } = await (await fetch(`${simulatorUrl}/_control/sessions`)).json();
  const { return_url: back } = result.at(-1).request;
  await add();
  return { cookie, order: new URL(back).pathname.replace('/checkout/return/', '/orders/') };
}

/** Returns the best scores of up to three tries: a busy machine can only lower a score. */
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
  // Pages of orders are not indexed on purpose.
  if (path.startsWith('/orders/')) output.push('--skip-audits=is-crawlable');
  execFileSync('npx', ['--yes', LIGHTHOUSE, `${shopUrl}${path}`, ...output], {
    env: { ...process.env, CHROME_PATH: chromium },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)]));
}
