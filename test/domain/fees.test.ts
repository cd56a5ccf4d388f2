import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { priceCart } from '../../src/shop/rules/cart.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import { FEES, isFee, quotesFor, readChoice } from '../../src/shop/rules/fees.js';
import { SHIPPING_OPTIONS, shippingOptions } from '../../src/shop/rules/shipping.js';
import { testProducts } from '../support/catalog.js';

const [product] = testProducts();

/** A cart with one product. */
function cartOf(facts: { readonly price: number; readonly requiresShipping: boolean }) {
  if (!product) throw new Error('the sample catalog is empty');
  const priced = { ...product, ...facts, price: centavos(facts.price) };
  return priceCart({
    lines: [{ productId: product.id, quantity: 1, seenPrice: priced.price, product: priced, left: null }],
  });
}

test.each([
  { price: 100_00, requiresShipping: true },
  { price: 1_000_000_00, requiresShipping: true },
  { price: 100_00, requiresShipping: false },
])('each shipping option of a cart of %j has a total, which is the sum of its products and fees', (facts) => {
  const cart = cartOf(facts);
  const quotes = quotesFor(DEFAULT_TABLE, cart, { shippingOption: undefined });

  const options = shippingOptions(DEFAULT_TABLE, cart.lines, cart.total);
  expect(quotes.map(({ id, total }) => [id, total])).toEqual(options.map(({ id, price }) => [id, facts.price + price]));
  for (const { id, price, fees, total } of quotes) {
    const [shipping, ...others] = fees;
    expect(fees.reduce<number>((all, { unitPrice, quantity }) => all + unitPrice * quantity, cart.total)).toBe(total);
    expect(shipping?.unitPrice).toBe(id === 'none' ? undefined : price);
    expect(others).toEqual([]);
  }
});

test('the fee for shipping has the tax rate of its rule', () => {
  const cart = cartOf({ price: 100_00, requiresShipping: true });
  const [quote] = quotesFor(DEFAULT_TABLE, cart, { shippingOption: undefined });

  const unitPrice = shippingOptions(DEFAULT_TABLE, cart.lines, cart.total)[0]?.price;
  const { taxRate } = FEES.shipping;
  expect(quote?.fees).toEqual([{ productId: 'shipping', unitPrice, quantity: 1, taxRate, discount: 0 }]);
});

test('a form without a shipping option means none, and an unknown or repeated option is no choice', () => {
  const ids = Object.keys(SHIPPING_OPTIONS);
  const options = ids.map((option) => readChoice({ shipping_option: option }).shippingOption);

  expect(options).toEqual(ids);
  expect(readChoice({}).shippingOption).toBe('none');
  for (const unknown of ['', 'drone', 'toString', ['standard'], null])
    expect(readChoice({ shipping_option: unknown }).shippingOption).toBeUndefined();
});

test('the product ids of fees are fees, and those of products are not', () => {
  const names = Object.keys(FEES);

  expect(names.filter(isFee)).toEqual(names);
  expect([...testProducts().map(({ id }) => id), 'toString', '__proto__'].filter(isFee)).toEqual([]);
});
