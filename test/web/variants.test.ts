import { beforeEach, expect, test } from '@jest/globals';
import { findOrderLines } from '../../src/tables/orders.js';
import { openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { receiveMails } from '../support/mailbox.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { importVariants, loader, ROWS } from '../support/variants.js';

const shop = await openFileShop();
const { db } = shop.context.checkout;

const load = loader(shop);

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

const choiceOf = (html: string) => /data-test="variants">(.*?)<\/nav>/s.exec(html)?.[1] ?? '';

beforeEach(() => importVariants(shop));

test('with a price filter a group has the price and the stock of its variants in that range', async () => {
  expect(await cardsOf('/?q=playera&min=260')).toEqual(['playera-azul: Agotado Playera $280.00']);
  await importVariants(shop, [{ ...ROWS[1], stock: '' }]);

  expect(await cardsOf('/?q=playera&min=260')).toEqual(['playera-azul: Playera $280.00']);
  expect(await cardsOf('/?q=playera&max=260')).toEqual(['playera-roja: Playera $250.00']);
});

test('search and categories find a group as one card, with the lowest price of what is available', async () => {
  const searched = await cardsOf('/?q=playeras');
  const sameText = await cardsOf('/?q=playera+verde');
  const ownCategory = await cardsOf('/?category=ofertas');
  const category = await cardsOf('/?category=ropa');
  const none = await cardsOf('/?q=azul+verde');

  expect(searched).toEqual(['playera-roja: Playera $250.00']);
  expect([sameText, ownCategory]).toEqual(Array(2).fill(['playera-verde: Playera $250.00']));
  expect([category, none]).toEqual([searched, []]);
  await importVariants(shop, [{ ...ROWS[1], stock: '' }]);
  expect(await cardsOf('/?q=playera')).toEqual(['playera-roja: Playera desde $250.00']);
  await importVariants(
    shop,
    ROWS.map((row) => ({ ...row, stock: '0' })),
  );
  expect(await cardsOf('/?q=playera')).toEqual(['playera-roja: Agotado Playera desde $250.00']);
});

test('the page of a variant links the others with price and stock', async () => {
  const page = await load('/products/playera-azul');
  const refused = await new Customer(shop).post('/cart/items', { product_id: 'playera-verde', quantity: '0' });

  expect(page).toContain('<h1><bdi>Playera, azul</bdi></h1>');
  expect(choiceOf(page).match(/href="[^"]*"( aria-current="page")?/g)).toEqual([
    ...['href="/products/playera-roja#choice"', 'href="/products/playera-azul#choice" aria-current="page"'],
    'href="/products/playera-verde#choice"',
  ]);
  expect(choiceOf(page)).toMatch(/azul<\/bdi> <span>\$280\.00 · Agotado/);
  expect(page).not.toContain('data-test="add-to-cart"');
  expect(choiceOf(refused.text)).toContain('href="/products/playera-verde#choice" aria-current="page"');
});

test('the card of a group has the price before of its cheapest product if each at this price has one, and the choice has each', async () => {
  const [red, blue, green] = ROWS;
  await importVariants(shop, [
    { ...red, price_before: '300' },
    { ...blue, price_before: '310' },
  ]);
  const mixed = await cardsOf('/?q=playera');
  const page = await load('/products/playera-azul');
  await importVariants(shop, [{ ...green, price_before: '290' }]);

  expect(mixed).toEqual(['playera-roja: Playera $250.00']);
  expect(await cardsOf('/?q=playera')).toEqual(['playera-roja: Playera $250.00 Antes $290.00']);
  const crossedOut = choiceOf(page).match(/<bdi>\w+|<s [^>]*>[^<]*/g);
  expect(crossedOut?.map((each) => each.replace(/<[^>]*>/, ''))).toEqual([
    'roja',
    '$300.00',
    'azul',
    '$310.00',
    'verde',
  ]);
});

test('a hidden main product leaves its group to the variants, and a hidden variant is not offered', async () => {
  await importVariants(shop, [{ ...ROWS[0], visible: 'no' }]);
  const cards = await cardsOf('/?q=playera');
  const page = await load('/products/playera-verde');
  const main = await new Customer(shop).get('/products/playera-roja');
  await importVariants(shop, [{ ...ROWS[1], visible: 'no' }]);
  const single = await load('/products/playera-verde');

  expect(cards).toEqual(['playera-verde: Playera $250.00']);
  expect(main.status).toBe(404);
  expect(choiceOf(page)).not.toContain('roja');
  expect(choiceOf(single)).toBe('');
  expect(await cardsOf('/?q=playera')).toEqual(['playera-verde: Playera, verde $250.00']);
});

test('cart, order, receipt and order page name the variant, and the order keeps that name', async () => {
  const customer = await Customer.withCart(shop, { product_id: 'playera-verde' });
  const merchant = await openBackOffice(shop);
  const cart = await customer.get('/cart');
  const opened = await openPageOf(shop, customer);
  await payAndReturn(shop, opened);
  await importVariants(shop, [{ ...ROWS[2], variant_es_mx: 'limón' }]);
  const order = await customer.get(opened.orderPath);
  const number = /data-test="order-number">([^<]*)</.exec(order.text)?.[1];
  const pages = [order, await merchant.get(`/admin/orders/${number}`)];
  const [receipt] = await receiveMails(shop);

  expect(cart.text).toContain('Playera, verde');
  expect(await findOrderLines(db.queries, opened.orderId)).toMatchObject([
    { productId: 'playera-verde', name: 'Playera, verde', unitPrice: 25_000 },
  ]);
  for (const text of [receipt?.text, ...pages.map((page) => page.text)]) expect(text).toContain('Playera, verde');
  expect(await load('/?q=playera+limon')).toContain('/products/playera-verde');
});
