/** The members of the brand that are empty in the sample shop. */
import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { helpLink } from '../../src/locales/brand-links.js';
import { i18nIn } from '../../src/locales/i18n.js';
import { changeBrand } from '../support/changed-brand.js';
import { Customer } from '../support/customer.js';
import { openHostedPage } from '../support/purchase.js';
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

test('the order page asks for help by WhatsApp, with the order number and nothing else of the order', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  const { text } = await customer.get(orderPath);
  const [, number] = /data-test="order-number">([^<]*)/.exec(text) ?? [];

  expect(text).toContain(
    `<a class="foot-link" href="https://wa.me/529511234567?text=Ayuda%20con%20mi%20pedido%20${number}" rel="noreferrer" data-test="help">`,
  );
});

test('without WhatsApp the order page asks for help by mail, and without both not at all', () => {
  const i18n = i18nIn(shop.context.web.settings.current().translations, 'es-MX');
  const { merchant } = brand;
  const subject = 'Ayuda%20con%20mi%20pedido%20TG-7KMX-2AFR';

  const links = [merchant, { ...merchant, email: '' }].map((each) =>
    helpLink({ whatsapp: '', merchant: each }, i18n, 'TG-7KMX-2AFR'),
  );

  expect(links).toEqual([
    { name: 'Pedir ayuda por correo', href: `mailto:${merchant.email}?subject=${subject}` },
    undefined,
  ]);
});

test('a page with `header` is linked in header and footer', async () => {
  const page = shop.context.web.settings.current().contentIn('es-MX').get('terms');
  Object.assign(page ?? {}, { header: true });

  const { text } = await visitor.get('/cart');

  const [header = '', footer = ''] = text.split('<main');
  expect(header).toMatch(/<details class="menu">[\s\S]*href="\/pages\/terms"/);
  expect(footer).toContain('href="/pages/terms"');
});
