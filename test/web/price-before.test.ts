import { afterEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { MUG } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { isOffered } from '../support/locales.js';
import { receiveMails } from '../support/mailbox.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { loader } from '../support/variants.js';

const shop = await openFileShop();
const load = loader(shop);
const PRODUCT = '/products/taza-de-talavera';

const setPriceBefore = (amount: number | null) =>
  shop.queries
    .updateTable('products')
    .set({ priceBefore: amount === null ? null : centavos(amount) })
    .where('id', '=', MUG)
    .execute();
afterEach(() => setPriceBefore(null));

/** Returns the amounts that a page crosses out, each with its label. */
const crossedOut = (html: string) =>
  [...html.matchAll(/(\w+) <s[^>]*>([^<]*)<\/s>/g)].map(([, label, amount]) => `${label} ${amount}`);

test('a sale price has the price before beside it in list, product, cart and checkout, and in the order and its receipt also after the sale', async () => {
  await setPriceBefore(34_900);
  const customer = await Customer.withCart(shop, { quantity: '2' });

  const pages = [await load('/'), await load(PRODUCT), (await customer.get('/cart')).text];
  const checkout = await customer.get('/checkout');
  const opened = await openPageOf(shop, customer);
  await setPriceBefore(null);
  await payAndReturn(shop, opened);
  const order = await customer.get(opened.orderPath);
  const [receipt] = await receiveMails(shop);

  expect(pages.map(crossedOut)).toEqual(Array(3).fill(['Antes $349.00']));
  // A phone has the summary above the form, other screens beside it.
  expect(crossedOut(checkout.text)).toEqual(['Antes $698.00', 'Antes $698.00']);
  expect(crossedOut(order.text)).toEqual(['Antes $698.00']);
  expect(receipt?.text).toContain('$578.00 (Antes $698.00)\n');
  expect(crossedOut(receipt?.html ?? '')).toEqual(['Antes $698.00']);
  expect(crossedOut(await load(PRODUCT))).toEqual([]);
});

test.each(
  [
    ['es-MX', '', 'Antes'],
    ['en', '/en', 'Was'],
  ].filter(isOffered),
)('the price before has its label in %s', async (_locale, prefix, label) => {
  await setPriceBefore(34_900);

  expect([await load(prefix || '/'), await load(prefix + PRODUCT)].map(crossedOut)).toEqual(
    Array(2).fill([expect.stringMatching(`^${label} .*349\\.00$`)]),
  );
});

test.each([28_900, 10_000])(
  'a stored price before of %d centavos is not shown beside a price of 28,900',
  async (amount) => {
    await setPriceBefore(amount);

    expect([await load('/'), await load(PRODUCT)].map(crossedOut)).toEqual([[], []]);
  },
);
