import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import type { Product } from '../../src/shop/rules/product.js';
import { writeProducts } from '../../src/tables/product-changes.js';
import { testProducts } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const visitor = new Customer(shop);
const [mug] = testProducts();

const product = (id: string, pesos: number, change: Partial<Product> = {}): Product => ({
  ...mug,
  id,
  slug: id,
  category: { id: 'barro', name: { 'es-MX': 'Barro' } },
  price: centavos(pesos * 100),
  name: { 'es-MX': id },
  description: {},
  imageAlt: { 'es-MX': 'Foto' },
  ...change,
});
const variant = (id: string, pesos: number, change: Partial<Product> = {}) =>
  product(id, pesos, { variant: { label: { 'es-MX': id }, groupName: { 'es-MX': 'Camisa' } }, ...change });

const PRODUCTS = [
  product('jarra', 300, { description: { 'es-MX': 'Para el café de olla' } }),
  product('plato', 90, { stock: 0 }),
  product('cafetal', 250.5, { name: { 'es-MX': 'Café de Coatepec' } }),
  product('vela', 40, { featured: true, name: { 'es-MX': 'Vela, guitarra y rebozo' } }),
  // The cheapest size is sold out, so the group costs 180.
  variant('chica', 60, { stock: 0 }),
  variant('grande', 180, { variantOf: 'chica' }),
  product('oculto', 10, { visible: false, name: { 'es-MX': 'Molcajete' } }),
];
await shop.queries.deleteFrom('productEvents').execute();
await shop.queries.deleteFrom('products').execute();
await shop.queries.deleteFrom('catalogWords').execute();
await writeProducts(
  shop.queries,
  PRODUCTS.map((each, position) => ({ product: each, position })),
  1,
);

/** Returns the products of a catalog page without the suggestions. */
async function shown(query: string) {
  const { status, text } = await visitor.get(`/${query}`);
  const [found = ''] = text.split('data-test="suggestions"');
  expect(status).toBe(200);
  return {
    text,
    slugs: [...found.matchAll(/<li class="item">\n<a href="\/products\/([\w-]+)"/g)].map(([, slug]) => slug),
  };
}

test.each([
  ['', ['vela', 'jarra', 'cafetal', 'grande', 'plato']],
  ['?sort=price_asc', ['vela', 'grande', 'cafetal', 'jarra', 'plato']],
  ['?sort=price_desc', ['jarra', 'cafetal', 'grande', 'vela', 'plato']],
  ['?sort=newest', ['grande', 'vela', 'cafetal', 'jarra', 'plato']],
  ['?sort=unknown', ['vela', 'jarra', 'cafetal', 'grande', 'plato']],
  ['?available=1', ['vela', 'jarra', 'cafetal', 'grande']],
  ['?max=60', ['vela', 'chica']],
  ['?min=180&max=%24250.50', ['cafetal', 'grande']],
  ['?min=50&max=200&available=1&category=barro', ['grande']],
])('the catalog at /%s lists %j: sold-out products last, featured ones first', async (query, slugs) => {
  expect((await shown(query)).slugs).toEqual(slugs);
});

test('a product whose pieces are all set aside counts as sold out', async () => {
  await shop.queries.updateTable('products').set({ stock: 2 }).where('id', '=', 'jarra').execute();
  const customer = await Customer.withCart(shop, { product_id: 'jarra', quantity: '2' });
  await customer.payHosted();

  // Addresses that no other test has, because pages are cached for 2 s.
  const [all, available] = [await shown('?page=1'), await shown('?available=1&page=1')];

  expect(all.slugs.slice(-2)).toEqual(['jarra', 'plato']);
  expect(available.slugs).not.toContain('jarra');
  await shop.queries.updateTable('products').set({ stock: null }).where('id', '=', 'jarra').execute();
});

test('a group shows the lowest price of its available products', async () => {
  const { text } = await shown('?min=0&sort=newest');

  expect(/Camisa[\s\S]*?item-price amount">([^<]*)/.exec(text)?.[1]).toBe('$180.00');
});

test('a hit in the name precedes one in the description', async () => {
  expect((await shown('?q=cafe')).slugs).toEqual(['cafetal', 'jarra']);
});

test.each([
  ['guitara', 'guitarra'],
  ['GUITARAS', 'guitarra'],
  ['rebosos', 'rebozo'],
  ['caffé', 'café'],
  ['vela guitara', 'vela guitarra'],
])('a search for %s shows the products for %s, and says so', async (typed, meant) => {
  const { slugs, text } = await shown(`?q=${encodeURIComponent(typed)}`);

  expect(slugs.length).toBeGreaterThan(0);
  expect(text).toContain(`«${typed}». Esto es lo más parecido.`);
  expect(text).toContain(`Resultados de «${meant}»`);
  expect(text).toContain('<meta name="robots" content="noindex">');
});

test.each(['xy', 'zzzzzz', 'molcajete', 'cafe plato'])(
  'a search for %s, which resembles no word on sale, finds nothing',
  async (typed) => {
    const { slugs, text } = await shown(`?q=${encodeURIComponent(typed)}`);

    expect(slugs).toEqual([]);
    expect(text).toContain(`Resultados de «${typed}»`);
    expect(text).not.toContain('data-test="corrected"');
  },
);

test('each filter in use has a link that removes it and keeps the others, the search and the category', async () => {
  const { text } = await shown('?q=e&category=barro&sort=newest&available=1&min=10.5&max=900');

  const [list = ''] = /data-test="active-filters">[\s\S]*?<\/ul>/.exec(text) ?? [];
  const links = [...list.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  expect(links).toEqual([
    '/?q=e&category=barro&available=1&min=10.5&max=900',
    '/?q=e&category=barro&sort=newest&min=10.5&max=900',
    '/?q=e&category=barro&sort=newest&available=1&max=900',
    '/?q=e&category=barro&sort=newest&available=1&min=10.5',
  ]);
});

test.each([
  ['min=abc', 'min', 'abc', 'Escribe una cantidad en pesos'],
  ['max=1.250,00', 'max', '1.250,00', 'Escribe los centavos después de un punto'],
  ['min=90&max=50', 'max', '50', 'El precio máximo es menor'],
])('the filter %s is refused at its field %s, with %s as typed', async (query, field, typed, message) => {
  const { status, text } = await visitor.get(`/?${query}`);

  expect(status).toBe(422);
  expect(text).toMatch(new RegExp(`id="${field}-error"[^\\n]*${message}`));
  expect(text).toContain(`name="${field}" inputmode="decimal" autocomplete="off" value="${typed}" aria-invalid="true"`);
  // Above the filters, a phone shows the beginning of the page only.
  expect(text).toContain(`aria-describedby="${field}-error" autofocus`);
});
