/** The shop as the host of the payments: pieces that a payment takes, lacks or returns. */
import { expect, test } from '@jest/globals';
import { processOutbox, refundPayment } from '@tianguis/payments/testing';
import type { PaidOrder } from '../../src/shop/checkout-context.js';
import { openBackOffice } from '../support/admin.js';
import { changeCheckout } from '../support/change-checkout.js';
import { readOrderPage } from '../support/customer.js';
import { allOrders, theOrder } from '../support/inspect.js';
import { violationsOf } from '../support/invariants.js';
import { receiveMails } from '../support/mailbox.js';
import { openPaidOrder, refunding, refundStates, requestOf } from '../support/refunds.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, leftOf, oversell, setStock, stockOf, takesOf } from '../support/stock.js';

const shop = await openSharedShop();
const { checkout } = shop;

test('late money for a sold out product makes the order paid and oversold, as page, hook and receipt state', async () => {
  const late = await oversell(shop);

  const order = (await allOrders(shop)).find(({ id }) => id === late.orderId);
  const page = await late.customer.get(late.orderPath);
  const merchant = await openBackOffice(shop);
  const backOffice = await merchant.get(`/admin/orders/${order?.number}`);
  const paid: PaidOrder[] = [];
  const onPaid = (each: PaidOrder) => Promise.resolve(void paid.push(each));
  await processOutbox(changeCheckout(checkout, { onPaid }), ['on_paid']);
  const mails = await receiveMails(shop);

  expect(order).toMatchObject({ state: 'paid', reviewReason: 'oversold' });
  expect(paid.filter(({ stockTaken }) => !stockTaken).map((each) => each.order.id)).toEqual([late.orderId]);
  expect(mails.filter(({ text }) => text.includes('Estamos revisando las existencias'))).toHaveLength(1);
  for (const text of ['ya no hay existencia suficiente', 'Ya hay existencia']) expect(backOffice.text).toContain(text);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([0, [0, 1]]);
  expect(readOrderPage(page.text).state).toBe('paid');
  expect(page.text).toContain('estamos revisando las existencias');
  expect(page.text).not.toContain('en preparación');
  expect(shop.logged.join('')).toContain('order.oversold');
  expect(await violationsOf(shop)).toEqual([]);
});

test('two managers who refund an order with its pieces at once return its money and its pieces once', async () => {
  await setStock(shop, 3);
  const { customer, attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  const taken = await stockOf(shop);
  const other = refunding(await shop.openReplica());
  const request = await requestOf(shop, attempt, { returnsGoods: true });

  const results = await Promise.all([
    refundPayment(refunding(shop), request),
    refundPayment(other, { ...request, by: 'eva' }),
    refundPayment(refunding(shop), request),
  ]);

  const { state, total, token } = await theOrder(shop);
  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed', 'done']);
  expect(shop.control.refundLedger().map(({ amountMinor }) => amountMinor)).toEqual([total]);
  expect([state, await refundStates(shop)]).toEqual(['paid', ['succeeded']]);
  expect([taken, await stockOf(shop), await leftOf(shop)]).toEqual([2, 3, 3]);
  expect((await customer.get(`/orders/${token}`)).text).toContain('Te devolvimos el pago');
  expect(await violationsOf(shop)).toEqual([]);
});
