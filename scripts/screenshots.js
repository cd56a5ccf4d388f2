// Takes the pictures of docs/images from a shop of its own: `npm run build && node scripts/screenshots.js`.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs', 'images');
const [shopPort, simulatorPort] = [3471, 3472];
const shopUrl = `http://localhost:${shopPort}`;
const simulatorUrl = `http://localhost:${simulatorPort}`;

const password = 'a-password-for-pictures';
const directory = await mkdtemp(join(tmpdir(), 'tianguis-pictures-'));
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
  SIMULATOR_WEBHOOK_URL: `${shopUrl}/webhooks/payments`,
  LOG_LEVEL: 'silent',
  ADMIN_PASSWORD: password,
};
const programs = ['dist/simulator/main.js', 'dist/main.js'].map((path) =>
  spawn(process.execPath, [join(root, path)], { cwd: directory, env, stdio: 'ignore' }),
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
});
try {
  await untilServed(`${shopUrl}/readyz`);
  await untilServed(simulatorUrl);
  const { catalogue, product, cart, checkout, card, hosted, order, wire, desk, ...more } =
    await takePictures();
  await compose('shop', [catalogue, checkout, order]);
  await compose('buying', [product, cart, card]);
  await compose('simulator', [hosted, wire]);
  await compose('desk', [desk, more['desk-order']]);
} finally {
  await browser.close();
  for (const program of programs) program.kill('SIGTERM');
  await rm(directory, { recursive: true, force: true });
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
  throw new Error(`nothing is served at ${url}`);
}

async function takePictures() {
  const pictures = {};
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, locale: 'es-MX' });
  const shoot = async (name) => {
    pictures[name] = (await page.screenshot()).toString('base64');
  };
  await page.goto(shopUrl);
  await shoot('catalogue');
  await page.goto(`${shopUrl}/products/taza-de-talavera`);
  await shoot('product');
  await page.click('[data-test=add-to-cart]');
  await shoot('cart');
  await page.goto(`${shopUrl}/checkout`);
  await page.fill('#first_name', 'Eva');
  await page.fill('#last_name', 'Ruiz Nava');
  await page.fill('#email', 'eva@example.com');
  await shoot('checkout');
  await page.goto(`${shopUrl}/checkout/card`);
  await shoot('card');
  await page.goBack();
  for (const [name, value] of [
    ['first_name', 'Eva'],
    ['last_name', 'Ruiz Nava'],
    ['email', 'eva@example.com'],
  ])
    await page.fill(`#${name}`, value);
  await page.click('[data-test=pay-hosted]');
  await page.waitForURL(`${simulatorUrl}/**`);
  await shoot('hosted');
  await page.click('[data-test=test-card-4000000000000077]');
  await page.waitForURL(/\/orders\//);
  await shoot('order');
  await page.goto(`${simulatorUrl}/wire`);
  await shoot('wire');
  await page.goto(`${shopUrl}/admin`);
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shopUrl}/admin`);
  await shoot('desk');
  await page.goto(`${shopUrl}/admin/orders`);
  await page.click('table a');
  await shoot('desk-order');
  return pictures;
}

/** Pages side by side in one picture. */
async function compose(name, frames) {
  const page = await browser.newPage({ viewport: { width: 20 + frames.length * 493, height: 440 } });
  const images64 = frames.map((frame) => `<img src="data:image/png;base64,${frame}">`);
  const style =
    'body{margin:0;padding:20px;display:flex;gap:20px;background:#efe4d6}img{width:473px;border-radius:10px;box-shadow:0 4px 18px #0003}';
  await page.setContent(`<style>${style}</style>${images64.join('')}`);
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}
