/** A code after its end: only the order that has its use keeps it, for its own lines, and not for longer. */
import { expect, test } from '@jest/globals';
import type { KyselyPlugin } from 'kysely';
import { MINUTE, reconcileAll } from '../../../../test/checkout/support.js';
import { openBackOffice } from '../../../../test/support/admin.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import { Customer, contact, valueIn } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { allAttempts, allOrders, theOrder } from '../../../../test/support/inspect.js';
import { CARDS, openPageOf, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { passTime } from '../../../../test/support/steps.js';
import { countTaken, markUsed } from '../repository.js';
import type { DiscountCodesTable } from '../tables.js';
import { addCode, applyCode, usesOf } from './support.js';

const shop = await openSharedShop({ env: { ORDER_TTL_MINUTES: '30' } });
const ENDED = 'El código DIEZ ya no está disponible';
const STOPPED = { endedAt: 1, endedBy: 'admin' };

const changeCode = (change: Partial<DiscountCodesTable>) =>
  shop.queries.updateTable('discountCodes').set(change).execute();

async function withCode(): Promise<Customer> {
  const customer = await Customer.withCart(shop);
  await applyCode(customer);
  return customer;
}

test.each([
  ['was stopped', STOPPED],
  ['is past its last day', { endsOn: '2020-01-01' }],
  ['has no use left', { maxUses: 0 }],
])('a code that %s stays for the lines of its order, and a larger cart buys without it', async (_how, change) => {
  await addCode(shop, { maxUses: 5 });
  const customer = await withCode();
  const first = await openPageOf(shop, customer);
  const { fields: shown } = await customer.readCheckout();
  await changeCode(change);

  const same = await customer.get('/cart');
  const again = await openPageOf(shop, customer);
  await customer.add();
  const larger = await customer.get('/cart');
  const refused = await customer.payHosted({ ...contact, ...shown });
  await customer.payHosted();

  expect([same.text.includes('Descuento (DIEZ)'), again.session]).toEqual([true, first.session]);
  expect([larger.text.includes(ENDED), larger.text.includes('$578.00'), refused.status]).toEqual([true, true, 409]);
  expect((await allOrders(shop)).map(({ total, discountCode }) => [total, discountCode])).toEqual([
    [260_10, 'DIEZ'],
    [578_00, null],
  ]);
});

test('a cart of the same price with other products buys without a code that has ended', async () => {
  await addCode(shop);
  const customer = await withCode();
  await openPageOf(shop, customer);
  await changeCode({ endsOn: '2020-01-01' });
  await customer.send(`/cart/items/${MUG}`, { quantity: '0' });
  await customer.add({ product_id: SHIPPED });

  expect((await customer.get('/cart')).text).toContain(ENDED);
});

test('a new order of the same lines takes the use of an ended code over as it is, and does not renew it', async () => {
  await addCode(shop);
  const customer = await withCode();
  await openPageOf(shop, customer);
  passTime(shop, 20 * MINUTE);
  await changeCode(STOPPED);
  passTime(shop, 5 * MINUTE);

  const other = await customer.payHosted({ ...contact, email: 'otra@example.com' });
  const held = await usesOf(shop);
  const form = await customer.readDelivery();
  passTime(shop, 8 * MINUTE);
  const late = await customer.payHosted({ ...contact, ...form });

  expect([other.status, held]).toEqual([302, { paid: 0, held: 1 }]);
  expect([late.status, late.text.includes(ENDED), await usesOf(shop)]).toEqual([409, true, { paid: 0, held: 0 }]);
  expect((await allOrders(shop)).map(({ discountCode }) => discountCode)).toEqual(['DIEZ', 'DIEZ']);
});

test('a start does not renew the use of an ended code, and without the use no payment starts at the lower total', async () => {
  await addCode(shop);
  const customer = await withCode();
  await payByCard(shop, customer, CARDS.declined);
  const { id } = await theOrder(shop);
  await changeCode(STOPPED);
  passTime(shop, 10 * MINUTE);

  const started = await shop.checkout.payments.startHosted(id, {});
  passTime(shop, 6 * MINUTE);
  const [session] = shop.control.sessions();
  shop.control.expireSession(session?.id ?? '');
  passTime(shop, 30 * MINUTE);
  const late = await shop.checkout.payments.startHosted(id, {});

  expect([started.kind, late.kind, await usesOf(shop)]).toEqual(['redirect', 'not_offered', { paid: 0, held: 0 }]);
  expect(await allAttempts(shop)).toHaveLength(2);
});

test('a code that is active lets an order start again after its offer, and sets a use aside', async () => {
  await addCode(shop, { maxUses: 1 });
  await payByCard(shop, await withCode(), CARDS.declined);
  const { id } = await theOrder(shop);
  passTime(shop, 40 * MINUTE);
  const before = await usesOf(shop);

  const { kind } = await shop.checkout.payments.startHosted(id, {});

  expect([before.held, kind, (await usesOf(shop)).held]).toEqual([0, 'redirect', 1]);
});

/** Corrects the lines of the only order to this number of pieces, less this discount. Returns the new order. */
async function correct(pieces: string, discount: string) {
  const merchant = await openBackOffice(shop);
  const { number } = await theOrder(shop);
  const path = `/admin/orders/${number}/lines`;
  const { text } = await merchant.get(path);
  const typed = {
    ...{ ...contact, payable_hours: '24', product_1: MUG, quantity_1: pieces },
    ...{ discount_kind: 'amount', discount_value: discount },
    ...{ form_key: valueIn(text, 'form_key'), version: valueIn(text, 'version') },
  };
  const total = await merchant.post(path, { ...typed, step: 'total' });
  await merchant.post(path, { ...typed, step: 'create', seen: valueIn(total.text, 'seen') });
  const order = (await allOrders(shop)).at(-1);
  return { prefilled: text, total: total.text, order };
}

const testCorrection = hasFeature('line-corrections') ? test : test.skip;

testCorrection('an order that the merchant corrects keeps its code and its use until it cannot be paid', async () => {
  await addCode(shop, { maxUses: 1 });
  await openPageOf(shop, await withCode());
  await changeCode(STOPPED);

  const { prefilled, total, order } = await correct('3', '28.90');
  const other = await Customer.withCart(shop);
  const refused = await other.send('/cart/discount', { code: 'DIEZ' });
  passTime(shop, 23 * 60 * MINUTE);
  const { kind } = await shop.checkout.payments.startHosted(order?.id ?? '', {});

  expect(prefilled).toContain('value="28.90"');
  expect(total).toContain('Descuento (DIEZ)');
  expect(order).toMatchObject({ total: 867_00 - 28_90, discountCode: 'DIEZ' });
  expect([refused.status, kind, await usesOf(shop)]).toEqual([422, 'redirect', { paid: 0, held: 1 }]);
});

testCorrection('a greater discount of the merchant has no code, and its use is free', async () => {
  await addCode(shop, { maxUses: 1 });
  await openPageOf(shop, await withCode());

  const { order } = await correct('1', '100');

  expect(order).toMatchObject({ total: 189_00, discountCode: null });
  expect(await usesOf(shop)).toEqual({ paid: 0, held: 0 });
});

testCorrection(
  'an order that is corrected after its code ended and its use expired has a discount of the merchant',
  async () => {
    await addCode(shop);
    const { session } = await openPageOf(shop, await withCode());
    await changeCode(STOPPED);
    passTime(shop, 40 * MINUTE);
    shop.control.expireSession(session);
    await reconcileAll(shop.checkout);

    const { order } = await correct('1', '28.90');

    expect(order).toMatchObject({ total: 260_10, discountCode: null });
  },
);

test('a use that is paid while the uses are counted is counted', async () => {
  await addCode(shop, { maxUses: 1 });
  const { orderId: id } = await openPageOf(shop, await withCode());
  const { cartId } = await theOrder(shop);
  let isPaid = false;
  const pay: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isPaid) await markUsed(shop.queries, { id, cartId, discountCode: 'DIEZ' }, shop.clock.now());
      isPaid = true;
      return result;
    },
  };

  const { paid, held } = await countTaken(shop.queries.withPlugin(pay), 'DIEZ', {
    cartId: 'other',
    at: shop.clock.now(),
  });

  expect([isPaid, paid + held]).toEqual([true, 1]);
});
