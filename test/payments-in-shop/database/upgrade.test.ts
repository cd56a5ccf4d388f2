/** The upgrade from version 0.2.0: stop, migrate, start, with orders of each state. */
import { expect, test } from '@jest/globals';
import { centavos, ORDER_STATES } from '@tianguis/payments/rules';
import { sql } from 'kysely';
import { newSession, openTestGateway, pay, type TestGateway } from '../../../packages/payments/test/gateway/support.js';
import type { Db } from '../../../src/tables/database.js';
import { MINUTE, reconcileAfter } from '../../checkout/support.js';
import { openBackOffice } from '../../support/admin.js';
import { Customer, readOrderPage } from '../../support/customer.js';
import { allAttempts, allOrders } from '../../support/inspect.js';
import { receiveMails } from '../../support/mailbox.js';
import { CARDS, placePaidOrder } from '../../support/purchase.js';
import { allRefunds, refund } from '../../support/refunds.js';
import { openTestShop, type TestShop } from '../../support/test-shop.js';
import { openEarlierDatabase } from '../../support/version-0-2-0.js';

/** Orders of the earlier version: with an open hosted page, at the bank, and paid by card with a receipt that was not sent. */
const [HOSTED, AT_THE_BANK, PAID] = ['TG-9CH7-85JW', 'TG-46KK-7NMP', 'TG-AJ5J-JA88'];
const amount = centavos(38_800);

/** Makes payments of the earlier version known to this gateway. Returns the session and the payment that are open. */
async function repeatPayments(client: TestGateway, queries: Db) {
  const payByCard = async (reference: string, card: string) => {
    const paid = await pay(client, { reference, amount, card });
    return paid.kind === 'known' ? paid.payment.gatewayId : '';
  };
  const lines = [{ productId: 'taza', name: 'Taza', unitPrice: amount, quantity: 1 }];
  const session = await newSession(client.gateway, { reference: HOSTED, amount, lines });
  const payment = await payByCard(AT_THE_BANK, CARDS.challenged);
  const { url } = client.simulator;
  await sql`update attempts set environment = ${`${url} ${url}`}`.execute(queries);
  for (const [reference, id] of [
    [HOSTED, session],
    [AT_THE_BANK, payment],
    [PAID, await payByCard(PAID, CARDS.paid)],
  ])
    await sql`update attempts set gateway_id = ${id} where reference = ${reference}`.execute(queries);
  return { session, payment };
}

async function openUpgradedShop(url: string, { simulator }: TestGateway): Promise<TestShop> {
  const gateway = { PAYMENTS_BASE_URL: simulator.url, CHECKOUT_API_URL: simulator.url };
  const shop = await openTestShop({ env: { DATABASE_URL: url, REFUNDS: 'gateway', ...gateway } });
  return { ...shop, control: simulator.control };
}

const stateOf = async (shop: TestShop, number: string) =>
  (await allOrders(shop)).find((order) => order.number === number)?.state;

test('after an upgrade from 0.2.0 each order has its state and its pages, open payments are verified, a queued receipt is sent, a payment is refunded, and the shop sells', async () => {
  await using client = await openTestGateway();
  await using database = await openEarlierDatabase();
  const { queries } = database;
  const open = await repeatPayments(client, queries);
  const before = (await sql<{ number: string; state: string }>`select number, state from orders`.execute(queries)).rows;

  await database.db.migrate();
  await using shop = await openUpgradedShop(database.url, client);

  expect(new Set(before.map(({ state }) => state))).toEqual(new Set(ORDER_STATES));
  const merchant = await openBackOffice(shop);
  const shown = await Promise.all(
    (await allOrders(shop)).map(async ({ number, token }) => {
      const [page, ofMerchant] = [
        await new Customer(shop).get(`/orders/${token}`),
        await merchant.get(`/admin/orders/${number}`),
      ];
      return { number, state: readOrderPage(page.text).state, status: ofMerchant.status };
    }),
  );
  expect(shown).toEqual(expect.arrayContaining(before.map((order) => ({ ...order, status: 200 }))));

  shop.control.paySession(open.session);
  shop.control.approve(open.payment);
  await reconcileAfter(shop, MINUTE);
  expect([await stateOf(shop, HOSTED), await stateOf(shop, AT_THE_BANK)]).toEqual(['paid', 'paid']);
  const mails = await receiveMails(shop);
  for (const number of [HOSTED, AT_THE_BANK, PAID])
    expect(mails.some(({ subject }) => subject.includes(number))).toBe(true);

  const attempt = (await allAttempts(shop)).find(({ reference }) => reference === PAID);
  if (!attempt) throw new Error('no attempt');
  await refund(shop, attempt);
  expect((await allRefunds(shop)).at(-1)).toMatchObject({ attemptId: attempt.id, state: 'succeeded', amount });
  expect(shop.control.refundLedger()).toHaveLength(1);
  await placePaidOrder(shop);
  expect((await allOrders(shop)).at(-1)).toMatchObject({ state: 'paid' });
});
