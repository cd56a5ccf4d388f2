// Creates the images in docs/images from a temporary shop: `npm run build && node tools/dev/screenshots.js`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from 'playwright-core';
import { chromium, openStage } from './stage.js';

const images = fileURLToPath(new URL('../../docs/images', import.meta.url));
const password = 'a-password-for-pictures';
const { shopUrl, simulatorUrl, close } = await openStage({
  shopPort: 3471,
  simulatorPort: 3472,
  settings: { ADMIN_PASSWORD: password },
});
const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
});
try {
  const { catalog, product, cart, checkout, card, hosted, order, wire, admin, ...more } =
    await takePictures();
  await compose('shop', [catalog, checkout, order]);
  await compose('buying', [product, cart, card]);
  await compose('simulator', [hosted, wire]);
  await compose('back-office', [admin, more['admin-order']]);
} finally {
  await browser.close();
  close();
}

async function takePictures() {
  const pictures = {};
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, locale: 'es-MX' });
  const shoot = async (name) => {
    pictures[name] = (await page.screenshot()).toString('base64');
  };
  await page.goto(shopUrl);
  await shoot('catalog');
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
  await page.check('#shipping-pickup');
  await page.click('[data-test=pay-hosted]');
  await page.waitForURL(`${simulatorUrl}/**`);
  await shoot('hosted');
  await page.click('[data-test=test-card-4000000000000077]');
  await page.waitForURL(/\/orders\//);
  await shoot('order');
  await page.goto(`${simulatorUrl}/wire`);
  await shoot('wire');
  await page.goto(`${shopUrl}/admin`);
  await page.fill('#name', 'admin');
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shopUrl}/admin`);
  await shoot('admin');
  await page.goto(`${shopUrl}/admin/orders`);
  await page.click('table a');
  await shoot('admin-order');
  return pictures;
}

/** Combines screenshots side by side in one image. */
async function compose(name, frames) {
  const page = await browser.newPage({ viewport: { width: 20 + frames.length * 493, height: 440 } });
  const images64 = frames.map((frame) => `<img src="data:image/png;base64,${frame}">`);
  const style =
    'body{margin:0;padding:20px;display:flex;gap:20px;background:#efe4d6}img{width:473px;border-radius:10px;box-shadow:0 4px 18px #0003}';
  await page.setContent(`<style>${style}</style>${images64.join('')}`);
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}
