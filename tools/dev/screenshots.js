// Creates the pictures in docs/images from a temporary shop: `npm run build && node tools/dev/screenshots.js`.
import { fileURLToPath } from 'node:url';
import playwright from 'playwright-core';
import { chromium, openStage } from './stage.js';

const imagesDirectory = fileURLToPath(new URL('../../docs/images/', import.meta.url));
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
  const pictures = await takePictures();
  await compose('shop', [pictures.catalog, pictures.checkout, pictures.order]);
  await compose('buying', [pictures.product, pictures.cart, pictures.card]);
  await compose('simulator', [pictures.hosted, pictures.wire]);
  await compose('back-office', [pictures.admin, pictures.adminOrder]);
} finally {
  await browser.close();
  close();
}

/** Buys a product in the shop. Returns the screenshots as base64. */
async function takePictures() {
  const pictures = {};
  const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, locale: 'es-MX' });
  const shoot = async (name) => {
    pictures[name] = (await page.screenshot()).toString('base64');
  };
  const open = async (name, url) => {
    await page.goto(url);
    await shoot(name);
  };
  await open('catalog', shopUrl);
  await open('product', `${shopUrl}/products/taza-de-talavera`);
  await page.click('[data-test=add-to-cart]');
  await shoot('cart');
  await open('card', `${shopUrl}/checkout/card`);
  await page.goto(`${shopUrl}/checkout`);
  await page.fill('#first_name', 'Eva');
  await page.fill('#last_name', 'Ruiz Nava');
  await page.fill('#email', 'eva@example.com');
  await shoot('checkout');
  await page.check('#shipping-pickup');
  await page.click('[data-test=pay-hosted]');
  await page.waitForURL(`${simulatorUrl}/**`);
  await shoot('hosted');
  await page.click('[data-test=test-card-4000000000000077]');
  await page.waitForURL(/\/orders\//);
  await shoot('order');
  await open('wire', `${simulatorUrl}/wire`);
  await page.goto(`${shopUrl}/admin`);
  await page.fill('#name', 'admin');
  await page.fill('#password', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${shopUrl}/admin`);
  await shoot('admin');
  await page.goto(`${shopUrl}/admin/orders`);
  await page.click('table a');
  await shoot('adminOrder');
  return pictures;
}

/** Combines screenshots side by side in one image. */
async function compose(name, screenshots) {
  const page = await browser.newPage({ viewport: { width: 20 + screenshots.length * 493, height: 440 } });
  const images = screenshots.map((screenshot) => `<img src="data:image/png;base64,${screenshot}">`);
  const style =
    'body{margin:0;padding:20px;display:flex;gap:20px;background:#efe4d6}img{width:473px;border-radius:10px;box-shadow:0 4px 18px #0003}';
  await page.setContent(`<style>${style}</style>${images.join('')}`);
  await page.screenshot({ path: `${imagesDirectory}${name}.png` });
  await page.close();
}
