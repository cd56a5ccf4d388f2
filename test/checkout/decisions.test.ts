import { describe, expect, test } from '@jest/globals';
import { type DecisionRequest, decideOrder } from '../../src/checkout/decide-order.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import type { MerchantDecision } from '../../src/domain/decision.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allFulfilments, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

const LATER_MS = 5_000;
const OTHER_AMOUNT: Fault = { kind: 'rewrite', set: { amount_total: 1 } };

/** What a person in the back office does: looks at the order, then decides. */
async function decide(shop: TestShop, decision: MerchantDecision, more: Partial<DecisionRequest> = {}) {
  const { id, version } = await waitingOrder(shop);
  return decideOrder(shop.context.checkout, { orderId: id, version, decision, note: '', ...more });
}

async function waitingOrder(shop: TestShop) {
  const orders = await allOrders(shop);
  const waiting = orders.find(
    ({ reviewReason, state }) => reviewReason !== null || state === 'outcome_unknown',
  );
  if (!waiting) throw new Error('no order waits for a person');
  return waiting;
}

async function history(shop: TestShop) {
  const { queries } = shop.context.checkout.db;
  const rows = await queries
    .selectFrom('orderEvents')
    .select('detail')
    .where('kind', '=', 'decided')
    .orderBy('id')
    .execute();
  return rows.map(({ detail }) => JSON.parse(detail) as object);
}

/** Paid at the gateway, and the gateway tells it for another amount. */
async function openMismatch(shop: TestShop) {
  const checkout = await openHostedPage(shop);
  shop.simulator.control.paySession(checkout.session);
  shop.simulator.control.fault('read-session', OTHER_AMOUNT);
  await checkout.customer.get(checkout.returnPath);
  return checkout;
}

/** A card payment whose answer never came; `charged` tells whether it went through. */
async function openUnknown(shop: TestShop, charged: boolean, card?: string) {
  const customer = await Customer.withCart(shop);
  shop.simulator.control.fault('process', { kind: 'drop', when: charged ? 'after' : 'before' }, 1);
  await payByCard(shop, customer, card);
  return { customer, orderPath: `/orders/${(await theOrder(shop)).token}` };
}

/** A message of the gateway, read at once. */
async function tellOf(shop: TestShop, message: object): Promise<void> {
  await fetch(`${shop.url}/webhooks/payments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${WEBHOOK_TOKEN}` },
    body: JSON.stringify(message),
  });
  await processInbox(shop.context.checkout);
}

/** One order paid, and the page that it had before the cart was changed paid as well. */
async function openSecondPayment(shop: TestShop) {
  const { customer, session, returnPath } = await openHostedPage(shop);
  shop.clock.advance(LATER_MS);
  await customer.add({ product_id: 'alebrije-jaguar' });
  const second = sessionIdOf((await customer.payHosted()).headers['location']);
  for (const id of [second, session]) {
    shop.simulator.control.paySession(id);
    shop.clock.advance(LATER_MS);
    await customer.get(returnPath);
    for (const { token } of await allOrders(shop)) await customer.get(`/orders/${token}`);
  }
  return { customer };
}

describe('the merchant confirms', () => {
  test('an order whose payment the gateway now tells as it was promised: it is paid, once', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);
    const held = await waitingOrder(shop);
    shop.simulator.control.clearFaults();

    const outcome = await decide(shop, 'confirm', { note: 'seen at the gateway' });

    expect([held.state, held.reviewReason]).toEqual(['review', 'other_amount']);
    expect(outcome).toMatchObject({ kind: 'done', order: { state: 'paid', reviewReason: null } });
    expect(await allFulfilments(shop)).toHaveLength(1);
    expect(await history(shop)).toEqual([
      { decision: 'confirm', result: 'paid', note: 'seen at the gateway' },
    ]);
  });

  test('what the gateway still tells otherwise: nobody’s word makes it paid', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);

    const outcome = await decide(shop, 'confirm');

    expect(outcome).toMatchObject({ kind: 'not_confirmed', order: { state: 'review' } });
    expect(await allFulfilments(shop)).toHaveLength(0);
    expect(await history(shop)).toEqual([{ decision: 'confirm', result: 'not_confirmed' }]);
  });

  test('while the gateway is silent: the order stays, and the try is on record', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);
    shop.simulator.control.clearFaults();
    shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });

    expect(await decide(shop, 'confirm')).toMatchObject({ kind: 'unreachable', order: { state: 'review' } });
    expect(await history(shop)).toEqual([{ decision: 'confirm', result: 'unreachable' }]);
  });

  test('a lost card payment by the gateway’s own id', async () => {
    await using shop = await openTestShop();
    await openUnknown(shop, true);
    const gatewayId = shop.simulator.control.payments()[0]?.id ?? '';

    const outcome = await decide(shop, 'confirm', { gatewayId });

    expect(outcome).toMatchObject({ kind: 'done', order: { state: 'paid' } });
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test.each(['another customer’s payment', 'nobody’s payment'])(
    'a lost card payment by the id of %s: refused',
    async (whose) => {
      await using shop = await openTestShop();
      const other = await Customer.withCart(shop);
      await payByCard(shop, other);
      const theirs = shop.simulator.control.payments()[0]?.id ?? '';
      const lost = await Customer.withCart(shop);
      shop.simulator.control.fault('process', { kind: 'drop', when: 'after' }, 1);
      await payByCard(shop, lost);
      const gatewayId = whose === 'nobody’s payment' ? '00000000-0000-4000-8000-000000000000' : theirs;

      const outcome = await decide(shop, 'confirm', { gatewayId });

      expect(outcome).toMatchObject({ kind: 'not_confirmed', order: { state: 'outcome_unknown' } });
      expect(await allFulfilments(shop)).toHaveLength(1);
    },
  );
});

describe('the gateway does not answer about the id that a merchant found', () => {
  test('the merchant is told so, and may try again', async () => {
    await using shop = await openTestShop();
    await openUnknown(shop, true);
    const gatewayId = shop.simulator.control.payments()[0]?.id ?? '';
    shop.simulator.control.fault('read-transaction', { kind: 'status', status: 503 });

    const first = await decide(shop, 'confirm', { gatewayId });
    shop.simulator.control.clearFaults();
    const second = await decide(shop, 'confirm', { gatewayId });

    expect(first).toMatchObject({ kind: 'unreachable', order: { state: 'outcome_unknown' } });
    expect(second).toMatchObject({ kind: 'done', order: { state: 'paid' } });
  });
});

describe('the merchant gave the money back', () => {
  test('of a mismatch: the order is cancelled, tells so, and what the gateway goes on saying moves nothing', async () => {
    await using shop = await openTestShop();
    const { customer, returnPath, orderPath } = await openMismatch(shop);

    const outcome = await decide(shop, 'refund', { note: 'refund 4711' });
    shop.simulator.control.clearFaults();
    shop.clock.advance(LATER_MS);
    await customer.get(returnPath);
    const page = await customer.get(orderPath);

    expect(outcome).toMatchObject({ kind: 'done', order: { state: 'cancelled', reviewReason: null } });
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['refunded']);
    expect(readOrderPage(page.text).state).toBe('cancelled');
    expect(page.text).toContain('Te devolvimos el pago');
    expect(page.text).not.toContain('No se te cobró');
    expect(await allFulfilments(shop)).toHaveLength(0);
    expect(await history(shop)).toEqual([{ decision: 'refund', result: 'cancelled', note: 'refund 4711' }]);
  });

  test('of a second payment: the first order stays paid', async () => {
    await using shop = await openTestShop();
    await openSecondPayment(shop);
    const before = (await allOrders(shop)).map(({ state, reviewReason }) => [state, reviewReason]);

    await decide(shop, 'refund');

    expect(before).toEqual(
      expect.arrayContaining([
        ['review', 'second_payment'],
        ['paid', null],
      ]),
    );
    expect((await allOrders(shop)).map(({ state }) => state).sort()).toEqual(['cancelled', 'paid']);
    expect((await allAttempts(shop)).map(({ state }) => state).sort()).toEqual(['paid', 'refunded']);
    expect(await allFulfilments(shop)).toHaveLength(1);
  });
});

describe('the merchant closes', () => {
  test('a card payment that never reached the gateway: the customer may pay again', async () => {
    await using shop = await openTestShop();
    const { customer } = await openUnknown(shop, false);

    const outcome = await decide(shop, 'close');
    await payByCard(shop, customer);

    expect(outcome).toMatchObject({ kind: 'done', order: { state: 'cancelled' } });
    expect((await theOrder(shop)).state).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('one that had gone through after all: a message about it still brings the money to its order', async () => {
    await using shop = await openTestShop();
    await openUnknown(shop, true);
    const payment = shop.simulator.control.payments()[0];
    const [attempt] = await allAttempts(shop);

    await decide(shop, 'close');
    await tellOf(shop, { id: payment?.id, client_reference: attempt?.reference });

    expect((await theOrder(shop)).state).toBe('paid');
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('one payment, and the answer to the next is lost: news of the first do not end the doubt about it', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    const { customer } = await openUnknown(shop, true, CARDS.challenged);
    const first = control.payments()[0];
    await decide(shop, 'close');
    control.fault('process', { kind: 'drop', when: 'before' }, 1);
    await payByCard(shop, customer);
    control.refuse(first?.id ?? '');
    const [attempt] = await allAttempts(shop);

    await tellOf(shop, { id: first?.id, client_reference: attempt?.reference });

    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['declined', 'unknown']);
    expect((await theOrder(shop)).state).toBe('outcome_unknown');
  });

  test('not an order for which the gateway had told a payment', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);

    expect(await decide(shop, 'close')).toEqual({ kind: 'not_open' });
    expect((await theOrder(shop)).state).toBe('review');
    expect(await history(shop)).toEqual([]);
  });
});

describe('a decision', () => {
  test('about an order that has moved since it was looked at is not carried out', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);
    const { version } = await waitingOrder(shop);

    expect(await decide(shop, 'refund', { version: version - 1 })).toEqual({ kind: 'changed' });
    expect((await theOrder(shop)).state).toBe('review');
  });

  test('of two people at once is carried out once', async () => {
    await using shop = await openTestShop();
    await openMismatch(shop);

    const { id, version } = await waitingOrder(shop);
    const request = { orderId: id, version, decision: 'refund', note: '' } as const;

    const outcomes = await Promise.all([1, 2].map(() => decideOrder(shop.context.checkout, request)));

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['changed', 'done']);
    expect(await history(shop)).toHaveLength(1);
  });

  test('about an order that waits for nobody is refused', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const { id, version } = await theOrder(shop);

    for (const decision of ['confirm', 'refund', 'close'] as const) {
      const request = { orderId: id, version, decision, note: '' };
      expect(await decideOrder(shop.context.checkout, request)).toEqual({ kind: 'not_open' });
    }
  });
});
