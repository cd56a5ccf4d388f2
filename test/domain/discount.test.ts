import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { type CartLine, freezeLines, priceCart } from '../../src/shop/rules/cart.js';
import {
  allocate,
  discountOf,
  discountOn,
  gatewayLines,
  MIN_TOTAL,
  netOf,
  readDiscountValue,
} from '../../src/shop/rules/discount.js';
import { beforeChoice, quotesFor } from '../../src/shop/rules/fees.js';
import { TAX_RATES } from '../../src/shop/rules/product.js';
import type { ShippingTable } from '../../src/shop/rules/shipping-table.js';
import { taxOf, taxTotals } from '../../src/shop/rules/tax.js';
import { testProducts } from '../support/catalog.js';

const money = (max: number) => fc.integer({ min: 0, max }).map(centavos);
const percent = fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) });
const amount = fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 1, max: 1e9 }) });

/** Order lines that share a discount of any size. */
const discountedLines = fc
  .array(
    fc.record({
      unitPrice: money(1e9),
      quantity: fc.integer({ min: 1, max: 99 }),
      taxRate: fc.constantFrom(...TAX_RATES),
    }),
    { minLength: 1, maxLength: 50 },
  )
  .chain((lines) => {
    const totals = lines.map(({ unitPrice, quantity }) => centavos(unitPrice * quantity));
    const goods = totals.reduce((all, total) => all + total, 0);
    return money(goods).map((discount) => {
      const shares = allocate(discount, totals);
      return lines.map((line, place) => ({
        ...line,
        productId: `p${place}`,
        name: 'Taza',
        discount: shares[place] ?? centavos(0),
      }));
    });
  });

const payable = (lines: readonly Parameters<typeof netOf>[0][]) => lines.reduce((all, line) => all + netOf(line), 0);

test('a percent is rounded half up on the sum of the products, and an amount takes off no more than it', () => {
  fc.assert(
    fc.property(money(9e15), fc.oneof(percent, amount), (goods, discount) => {
      const off = BigInt(discountOn(goods, discount));
      const exact = (BigInt(goods) * BigInt(discount.value) * 2n + 100n) / 200n;
      expect(off).toBe(discount.kind === 'percent' ? exact : BigInt(Math.min(discount.value, goods)));
    }),
  );
  expect([50, 150, 149].map((goods) => discountOn(centavos(goods), { kind: 'percent', value: 1 }))).toEqual([1, 2, 1]);
});

test.each([
  ['percent', '10', 10],
  ['percent', '100 %', 100],
  ['percent', '0', undefined],
  ['percent', '101', undefined],
  ['percent', '7.5', undefined],
  ['amount', '$1,050.50', 1_050_50],
  ['amount', '0.00', undefined],
  ['amount', '10,50', undefined],
  ['amount', '10 %', undefined],
  ['amount', '-5', undefined],
] as const)('a typed discount of the kind %s that is %s takes off %s', (kind, text, value) => {
  expect(readDiscountValue(kind, text)).toBe(value);
});

test('the shares of a discount add up to it, and none differs from its exact part by a centavo or exceeds its line', () => {
  fc.assert(
    fc.property(
      fc.array(money(1e11), { minLength: 1, maxLength: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (totals, part) => {
        const goods = totals.reduce<number>((all, total) => all + total, 0);
        const discount = centavos(Math.floor(goods * part));
        const shares = allocate(discount, totals);
        expect(shares.reduce<number>((all, share) => all + share, 0)).toBe(discount);
        for (const [place, total] of totals.entries()) {
          const share = BigInt(shares[place] ?? -1);
          const difference = share * BigInt(goods) - BigInt(discount) * BigInt(total);
          expect(goods === 0 || (difference < BigInt(goods) && -difference < BigInt(goods))).toBe(true);
          expect(share <= BigInt(total)).toBe(true);
        }
      },
    ),
  );
});

test('the centavos that are left go to the largest remainders, and of equal ones to the first lines', () => {
  const split = (discount: number, ...totals: number[]) => allocate(centavos(discount), totals.map(centavos));
  expect(split(100, 100, 100, 100)).toEqual([34, 33, 33]);
  expect(split(5, 30, 10, 60)).toEqual([2, 0, 3]);
  expect(split(1, 1, 2)).toEqual([0, 1]);
  expect(split(0, 0, 0)).toEqual([0, 0]);
});

test('base and IVA of a discounted line come from its net amount, and all lines sum to what the customer pays', () => {
  fc.assert(
    fc.property(discountedLines, (lines) => {
      const { base, tax } = taxTotals(lines);
      expect(base + tax).toBe(payable(lines));
      for (const line of lines) expect(taxTotals([line])).toEqual(taxOf(netOf(line), line.taxRate));
    }),
  );
});

test('the gateway gets positive lines that sum to what the customer pays, with no more than two per product', () => {
  fc.assert(
    fc.property(discountedLines, (lines) => {
      const sent = gatewayLines(lines);
      expect(sent.reduce((all, { quantity, unitPrice }) => all + quantity * unitPrice, 0)).toBe(payable(lines));
      expect(sent.every(({ quantity, unitPrice }) => quantity > 0 && unitPrice > 0)).toBe(true);
      expect(sent.length).toBeLessThanOrEqual(2 * lines.length);
      expect(sent.length > 0 || payable(lines) === 0).toBe(true);
    }),
  );
});

const line = (unitPrice: number, quantity: number, discount: number) => ({
  ...{ productId: 'taza', name: 'Taza', quantity },
  ...{ unitPrice: centavos(unitPrice), discount: centavos(discount) },
});

test.each([
  ['no discount', line(100, 3, 0), [[3, 100]]],
  ['one piece', line(100, 1, 30), [[1, 70]]],
  [
    '99 pieces with 50 centavos off',
    line(100, 99, 50),
    [
      [50, 99],
      [49, 100],
    ],
  ],
  ['an even discount', line(100, 4, 40), [[4, 90]]],
  ['nothing to pay', line(100, 4, 400), []],
] as const)('the gateway gets a line with %s as whole centavos per piece', (_name, given, expected) => {
  expect(gatewayLines([given]).map(({ quantity, unitPrice }) => [quantity, unitPrice])).toEqual(expected);
});

test('pieces that cost less than a centavo each are one line at the gateway, which names their number', () => {
  const [sent, ...others] = gatewayLines([line(1, 50, 20)]);

  expect(sent).toEqual({ productId: 'taza', name: '50 × Taza', quantity: 1, unitPrice: 30 });
  expect(others).toEqual([]);
});

/** The first product of the catalog in a cart, at this price. */
function cartWith(price: number, quantity: number, requiresShipping = false): { readonly lines: readonly CartLine[] } {
  const [first] = testProducts();
  if (!first) throw new Error('the sample catalog is empty');
  const product = { ...first, price: centavos(price), requiresShipping };
  return { lines: [{ productId: product.id, quantity, seenPrice: product.price, product, left: null }] };
}

test('a code takes its discount off the products, and below its minimum nothing', () => {
  const terms = { kind: 'percent', value: 10, minimum: centavos(200_00) } as const;
  const [below, reached] = [1, 2].map((quantity) => priceCart(cartWith(100_00, quantity), { code: 'DIEZ', terms }));

  expect(below).toMatchObject({ goods: 100_00, total: 100_00, discount: { amount: 0 } });
  expect(below?.discount?.limit).toEqual({ reason: 'minimum', min: 200_00 });
  expect(reached).toMatchObject({ goods: 200_00, total: 180_00, discount: { code: 'DIEZ', amount: 20_00 } });
  expect(discountOf(reached?.lines ?? [])).toBe(20_00);
});

/** A shop with pickup that delivers to all destinations at this price. `freeFrom`: products from which the delivery is free. */
function tableWith(price: number, freeFrom: number | null = null): ShippingTable {
  const delivery = { by: 'total', steps: [{ upTo: null, price: centavos(price) }], days: null } as const;
  const zone = { name: 'México', states: ['JAL'], postalCodes: [] } as const;
  const free = freeFrom === null ? null : centavos(freeFrom);
  return { defaultWeight: 1_000, pickup: true, zones: [{ ...zone, delivery: { ...delivery, freeFrom: free } }] };
}

const NO_CHOICE = { shippingOption: undefined };
const EVERYTHING = { kind: 'percent', value: 100, minimum: centavos(0) } as const;

test('a code of the price of the products makes them free beside a paid delivery, and leaves $1.00 without one', () => {
  const priced = priceCart(cartWith(289_00, 1, true), { code: 'TODO', terms: EVERYTHING });
  const table = tableWith(99_00, 289_00);

  const [delivered, pickedUp] = quotesFor(table, priced, NO_CHOICE);

  expect(delivered).toMatchObject({ total: 99_00, cart: { total: 0, discount: { amount: 289_00 } } });
  expect(delivered?.cart.discount?.limit).toBeUndefined();
  const limit = { reason: 'min_total', min: MIN_TOTAL };
  expect(pickedUp).toMatchObject({ total: MIN_TOTAL, cart: { discount: { code: 'TODO', amount: 288_00, limit } } });
  const without = { amount: 289_00, limit: { reason: 'without_delivery' } };
  expect(beforeChoice(table, priced)).toMatchObject({ total: 0, discount: without });
  expect(beforeChoice(tableWith(0), priced)).toMatchObject({ total: MIN_TOTAL, discount: { limit } });
  const download = priceCart(cartWith(289_00, 1), { code: 'TODO', terms: EVERYTHING });
  expect(beforeChoice(table, download)).toMatchObject({ total: MIN_TOTAL, discount: { limit } });
});

test('for any code, cart and price of delivery an option costs its products and fees, or with a lower discount the least total', () => {
  const terms = fc.oneof(percent, amount).map((discount) => ({ ...discount, minimum: centavos(0) }));
  const products = fc.record({ price: fc.integer({ min: 1, max: 500_00 }), quantity: fc.integer({ min: 1, max: 99 }) });
  fc.assert(
    fc.property(products, terms, money(200_00), fc.option(money(300_00)), (each, discount, price, freeFrom) => {
      const priced = priceCart(cartWith(each.price, each.quantity, true), { code: 'CASI', terms: discount });
      const full = priced.goods - discountOn(priced.goods, discount);
      for (const { total, fees, cart, price: fee } of quotesFor(tableWith(price, freeFrom), priced, NO_CHOICE)) {
        expect(total).toBe(Math.max(full + fee, Math.min(priced.goods + fee, MIN_TOTAL)));
        expect([cart.discount?.amount, cart.total]).toEqual([discountOf(cart.lines), total - fee]);
        const sent = gatewayLines(
          freezeLines(
            cart,
            'es-MX',
            fees.map((line) => ({ ...line, name: 'Envío' })),
          ),
        );
        expect(sent.reduce((all, { quantity, unitPrice }) => all + quantity * unitPrice, 0)).toBe(total);
        expect(sent.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('a code that ended is named and takes nothing off', () => {
  const priced = priceCart(cartWith(100_00, 1), { code: 'VIEJO' });

  expect([priced.endedCode, priced.discount, priced.total]).toEqual(['VIEJO', undefined, 100_00]);
});
