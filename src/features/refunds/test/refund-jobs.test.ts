/** The mail to the customer and the merchant's hook, for each refund that returned money. */

import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { processOutbox } from '@tianguis/payments/testing';
import { changeCheckout } from '../../../../test/support/change-checkout.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { BY_GATEWAY, openPaidOrder, receiveRefundEvent, record, refund } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import type { PaidOrder } from '../../../shop/checkout-context.js';
import type { RefundedOrder } from '../on-refunded.js';
import { refundHook } from '../refund-jobs.js';

const shop = await openSharedShop({ ...BY_GATEWAY, env: { ...BY_GATEWAY.env, REFUND_PARTIAL: 'on' } });
const { checkout, queries } = shop;
const HALF = centavos(14_450);

const refundMails = async () => (await receiveMails(shop)).filter(({ subject }) => subject.includes('Reembolso'));

test('a full refund sends one mail and calls the hook once, with the payment as the hook of the paid order got it', async () => {
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt);
  await receiveRefundEvent(shop);

  const seen: RefundedOrder[] = [];
  const onRefunded = (each: RefundedOrder) => Promise.resolve(void seen.push(each));
  const paid: PaidOrder[] = [];
  const onPaid = (each: PaidOrder) => Promise.resolve(void paid.push(each));
  await processOutbox(
    changeCheckout(checkout, { onPaid, jobs: { ...checkout.jobs, on_refunded: refundHook(onRefunded) } }),
  );
  const mails = await receiveMails(shop);

  expect(mails.filter(({ text }) => text.includes('Te reembolsamos $289.00 de tu pedido'))).toHaveLength(1);
  expect(seen).toMatchObject([{ isFull: true, isPaymentOfOrder: true, refund: { amount: 28_900 } }]);
  const { gatewayId, transactionId, paymentId, provider, reference, flow, method } = attempt;
  const payment = { gatewayId, transactionId, paymentId, provider, reference, flow, method };
  expect([...paid, ...seen].map((each) => each.payment)).toEqual([payment, payment]);
  expect(transactionId).toMatch(/^\d+$/);
});

test('the mail about a part of the payment says so', async () => {
  const { attempt } = await openPaidOrder(shop);

  await record(shop, attempt, { amount: HALF });

  const [mail, ...others] = await refundMails();
  expect(others).toEqual([]);
  expect(mail?.text).toContain('Te reembolsamos $144.50');
  expect(mail?.text).toContain('Es una parte de lo que pagaste.');
});

test('the mail about one of two payments of an order says that too much was paid', async () => {
  const { attempt: first } = await openPaidOrder(shop);
  const second = { ...first, id: `${first.id}-2`, ordinal: 2, gatewayId: 'second' };
  await queries.insertInto('attempts').values(second).execute();

  await record(shop, second);

  expect((await refundMails()).map(({ text }) => text)).toEqual([
    expect.stringContaining('te devolvimos el pago de más'),
  ]);
});

test('a chargeback sends no mail and calls no hook', async () => {
  const { attempt } = await openPaidOrder(shop);

  await record(shop, attempt, { way: 'chargeback', amount: HALF });

  const jobs = await queries
    .selectFrom('outbox')
    .select('job')
    .where('job', 'in', ['refunded', 'on_refunded'])
    .execute();
  expect([jobs, await refundMails()]).toEqual([[], []]);
});
