import { beforeEach, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import { importProducts } from '../../src/catalog/import-products.js';
import { findOrderLines } from '../../src/db/orders.js';
import { openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { receiveMails } from '../support/mailbox.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { db } = shop.context.checkout;

const SHIRT = {
  ...{ image: '/logo.svg', image_alt_es_mx: 'Una playera', description_es_mx: 'De algodón', requires_shipping: 'no' },
  ...{ name_es_mx: 'Playera', category_es_mx: 'Ropa', stock: '', visible: 'yes' },
};
/** A group whose main product is red. Two variants follow it in the catalog, and one of them has a category of its own. */
const ROWS = [
  { ...SHIRT, id: 'playera-roja', price: '250', variant_of: '', variant_es_mx: 'roja' },
  { ...SHIRT, id: 'playera-azul', price: '280', variant_of: 'playera-roja', variant_es_mx: 'azul', stock: '0' },
  {
    ...{ ...SHIRT, id: 'playera-verde', price: '250.00', variant_of: 'playera-roja', variant_es_mx: 'verde' },
    ...{ category_es_mx: 'Ofertas', name_en: 'Shirt', variant_en: 'green' },
  },
];

async function importRows(rows: readonly object[]) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const file = Buffer.from(stringify([...rows], { header: true, columns }));
  const rules = { locale: 'es-MX', hasPicture: () => true, stock: true } as const;
  const result = await importProducts(db, file, { ...rules, at: shop.clock.now(), by: 'test' });
  expect(result).toMatchObject({ ok: true });
}

let loads = 0;
/** Returns a page that the page cache does not have. */
async function load(path: string): Promise<string> {
  loads += 1;
  return (await new Customer(shop).get(`${path}${path.includes('?') ? '&' : '?'}load=${loads}`)).text;
}

/** Returns slug, name and price of each card, and whether it is sold out. */
async function cardsOf(path: string) {
  const [html = ''] = (await load(path)).split('data-test="suggestions"');
  const cards = [...html.matchAll(/<li class="item">\s*<a href="\/products\/([^"]+)">(.*?)<\/a>/gs)];
  const found = /data-test="found">(\d+)/.exec(html)?.[1];
  const texts = cards.map(([, slug = '', card = '']) =>
    [
      slug,
      card
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ].join(': '),
  );
  expect(found).toBe(String(texts.length));
  return texts;
}

const canonicalOf = (html: string) => /<link rel="canonical" href="[^"]*\/products\/([^"]+)"/.exec(html)?.[1];
const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
const choiceOf = (html: string) => /data-test="variants">(.*?)<\/nav>/s.exec(html)?.[1] ?? '';
const sitemapSlugs = async () =>
  [...(await load('/sitemap.xml')).matchAll(/<loc>[^<]*\/(playera[^<]*)</g)].map(([, slug]) => slug);

beforeEach(() => importRows(ROWS));

test('search and categories find a group as one card, with its lowest price', async () => {
  const searched = await cardsOf('/?q=playeras');
  const sameText = await cardsOf('/?q=playera+verde');
  const ownCategory = await cardsOf('/?category=ofertas');
  const category = await cardsOf('/?category=ropa');
  const none = await cardsOf('/?q=azul+verde');

  expect(searched).toEqual(['playera-roja: Playera desde $250.00']);
  expect([sameText, ownCategory]).toEqual(Array(2).fill(['playera-verde: Playera desde $250.00']));
  expect([category, none]).toEqual([searched, []]);
  await importRows([{ ...ROWS[1], price: '250', stock: '' }]);
  expect(await cardsOf('/?q=playera')).toEqual(['playera-roja: Playera $250.00']);
  await importRows(ROWS.map((row) => ({ ...row, stock: '0' })));
  expect(await cardsOf('/?q=playera')).toEqual(['playera-roja: Agotado Playera desde $250.00']);
});

test('the page of a variant links the others with price and stock, and search engines find the page of the group', async () => {
  const page = await load('/products/playera-azul');
  const refused = await new Customer(shop).post('/cart/items', { product_id: 'playera-verde', quantity: '0' });
  const slugs = await sitemapSlugs();

  expect(page).toContain('<h1><bdi>Playera, azul</bdi></h1>');
  expect(choiceOf(page).match(/href="[^"]*"( aria-current="page")?/g)).toEqual([
    ...['href="/products/playera-roja"', 'href="/products/playera-azul" aria-current="page"'],
    'href="/products/playera-verde"',
  ]);
  expect(choiceOf(page)).toMatch(/azul<\/bdi> <span>\$280\.00 · Agotado/);
  expect(page).not.toContain('data-test="add-to-cart"');
  expect(choiceOf(refused.text)).toContain('href="/products/playera-verde" aria-current="page"');
  expect([canonicalOf(page), ...new Set(slugs)]).toEqual(['playera-roja', 'playera-roja']);
  const offer = (price: string, stock: string) => ({ price, availability: `https://schema.org/${stock}` });
  expect(dataOf(page)[0]).toMatchObject({
    ...{ '@type': 'ProductGroup', name: 'Playera', productGroupID: 'playera-roja' },
    hasVariant: [
      { '@type': 'Product', name: 'Playera, roja', sku: 'playera-roja', offers: offer('250.00', 'InStock') },
      { name: 'Playera, azul', sku: 'playera-azul', offers: offer('280.00', 'OutOfStock') },
      { name: 'Playera, verde', sku: 'playera-verde', offers: offer('250.00', 'InStock') },
    ],
  });
});

test('a hidden main product leaves its group to the variants, and a hidden variant is not offered', async () => {
  await importRows([{ ...ROWS[0], visible: 'no' }]);
  const cards = await cardsOf('/?q=playera');
  const page = await load('/products/playera-verde');
  const main = await new Customer(shop).get('/products/playera-roja');
  await importRows([{ ...ROWS[1], visible: 'no' }]);
  const single = await load('/products/playera-verde');

  expect(cards).toEqual(['playera-azul: Playera desde $250.00']);
  expect([main.status, canonicalOf(page)]).toEqual([404, 'playera-azul']);
  expect(choiceOf(page)).not.toContain('roja');
  expect([canonicalOf(single), choiceOf(single), dataOf(single)[0]['@type']]).toEqual(['playera-verde', '', 'Product']);
  expect(await cardsOf('/?q=playera')).toEqual(['playera-verde: Playera, verde $250.00']);
});

test('cart, order, receipt, order page and CSV name the variant, and the order keeps that name', async () => {
  const customer = await Customer.withCart(shop, { product_id: 'playera-verde' });
  const merchant = await openBackOffice(shop);
  const cart = await customer.get('/cart');
  const opened = await openPageOf(shop, customer);
  await payAndReturn(shop, opened);
  await importRows([{ ...ROWS[2], variant_es_mx: 'limón' }]);
  const order = await customer.get(opened.orderPath);
  const number = /data-test="order-number">([^<]*)</.exec(order.text)?.[1];
  const pages = [order, await merchant.get(`/admin/orders/${number}`), await merchant.get('/admin/orders.csv')];
  const [receipt] = await receiveMails(shop);

  expect(cart.text).toContain('Playera, verde');
  expect(await findOrderLines(db.queries, opened.orderId)).toMatchObject([
    { productId: 'playera-verde', name: 'Playera, verde', unitPrice: 25_000 },
  ]);
  for (const text of [receipt?.text, ...pages.map((page) => page.text)]) expect(text).toContain('Playera, verde');
  expect(await load('/?q=playera+limon')).toContain('/products/playera-verde');
});
