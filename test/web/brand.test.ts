/** The members of the brand that are empty in the sample shop. */
import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { changeBrand } from '../support/changed-brand.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

changeBrand({
  heroImage: '/logo.svg',
  whatsapp: '951 123 4567',
  social: { instagram: 'https://www.instagram.com/tienda', tiktok: 'https://www.tiktok.com/@tienda' },
  texts: { 'es-MX': { announcement: 'Cerrado el 1 de enero <hoy>' } },
});
const shop = await openFileShop();
const visitor = new Customer(shop);

test('announcement, links and hero picture of the brand are on the pages of the storefront', async () => {
  const [home, cart, contact] = await Promise.all(
    ['/', '/cart', '/pages/terms'].map(async (path) => (await visitor.get(path)).text),
  );
  const links = ['https://wa.me/529511234567', ...Object.values(brand.social).filter((href) => href !== '')];

  for (const html of [home, cart, contact]) {
    expect(html).toContain('>Cerrado el 1 de enero &lt;hoy&gt;</p>');
    expect([...(html ?? '').matchAll(/href="(https:[^"]*)" rel="noreferrer"/g)].map(([, href]) => href)).toEqual(links);
  }
  expect(home).toMatch(/class="hero-image" src="\/assets\/logo\.svg\?v=\w+"/);
});

test('a page with `header` is linked in header and footer', async () => {
  const page = shop.context.web.contentIn('es-MX').get('terms');
  Object.assign(page ?? {}, { header: true });

  const { text } = await visitor.get('/cart');

  const [header = '', footer = ''] = text.split('<main');
  expect(header).toMatch(/<details class="menu">[\s\S]*href="\/pages\/terms"/);
  expect(footer).toContain('href="/pages/terms"');
});
