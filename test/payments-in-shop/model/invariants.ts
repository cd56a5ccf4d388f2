/** Invariants of a shop with one customer. Each violation is an error that names the invariant. */
import assert from 'node:assert/strict';
import { needsReview } from '@tianguis/payments/rules';
import { profileOfThisRun } from '../../support/test-shop.js';
import type { System } from './system.js';

export async function checkInvariants(system: System): Promise<void> {
  for (const check of system.checks) await check(system);
  const orders = await system.orders();
  const attempts = await system.attempts();
  const charges = system.simulator.control.ledger();
  const fulfillments = await system.fulfillments();

  for (const order of orders.filter((each) => each.state === 'paid')) {
    system.paidOrderIds.add(order.id);
    const attempt = attempts.find((each) => each.id === order.paidAttemptId);
    if (attempt?.flow === 'outside') {
      assert(system.recordedOutside.has(order.id), 'I1: an order is paid outside only by the record of a manager');
      continue;
    }
    const charge = charges.find((each) => each.id === attempt?.gatewayId);
    assert(charge !== undefined, 'I1: a paid order has a charge');
    assert(charge?.amountMinor === order.total, 'I1: a paid order has a charge of its amount');
    assert(charge?.currency === order.currency, 'I1: a paid order has a charge in its currency');
    assert(charge?.reference === attempt?.reference, 'I1: a paid order has a charge with its reference');
  }
  const paid = orders.filter((order) => order.state === 'paid').map((order) => order.id);
  assert(
    fulfillments.every((each) => paid.includes(each.orderId)),
    'I2: only a paid order has a fulfillment',
  );
  const unfulfilled = orders.filter(
    ({ id, state }) => state === 'paid' && !fulfillments.some(({ orderId }) => orderId === id),
  );
  const isReturned = ({ paidAttemptId }: (typeof orders)[number]) =>
    attempts.some(({ id, state }) => id === paidAttemptId && state === 'refunded');
  const waits = (order: (typeof orders)[number]) => system.hasFailedHost && (needsReview(order) || isReturned(order));
  assert(
    unfulfilled.every(waits),
    'I2: each paid order has a fulfillment, or waits for a decision because the host failed',
  );
  for (const order of orders.filter((each) => each.state === 'paid'))
    assert(
      !orders.some((other) => other.state === 'paid' && other.supersededBy === order.id),
      'I2: a paid order replaces no paid order',
    );
  for (const id of system.paidOrderIds) assert(paid.includes(id), 'I4: a paid order stays paid');

  await checkRefunds(system);
  const sent = system.simulator.control.calls('process').map((call) => call.headers['x-request-id']);
  assert(
    sent.every((id) => attempts.some((attempt) => attempt.id === id)),
    'I5: each card payment has an attempt',
  );
  assert(new Set(sent).size === sent.length, 'I5: no card payment is sent twice');
  assert(sent.length <= system.cardSubmits, 'I5: no card payment is sent without a submit');
  assert(
    system.simulator.control.payments().length <= system.cardSubmits - system.refusedCards,
    'a card payment that threw an error is not at the gateway',
  );
  for (const order of orders) {
    const own = attempts.filter((attempt) => attempt.orderId === order.id);
    assert(own.filter((attempt) => attempt.live === 1).length <= 1, 'I5: an order has one live attempt');
    const unknown = own.find((attempt) => attempt.state === 'unknown');
    assert(
      !unknown || own.every((each) => each.ordinal <= unknown.ordinal),
      'I5: no attempt follows an unknown outcome',
    );
  }
}

/** Checks the refunds of the shop against the money that the gateway returned. */
async function checkRefunds(system: System): Promise<void> {
  const { control } = system.simulator;
  const refunds = await system.refunds();
  const attempts = await system.attempts();
  const ledger = control.refundLedger();
  const keys = control.calls('refund').map((call) => call.headers['x-request-id']);
  assert(
    keys.every((key) => refunds.some(({ id }) => id === key)),
    'I5: each refund call has a refund',
  );
  for (const attempt of attempts) {
    const own = refunds.filter(({ attemptId }) => attemptId === attempt.id);
    const returned = ledger.filter(({ originalId }) => originalId === attempt.gatewayId);
    const sum = (rows: readonly { readonly amount: number }[]) => rows.reduce((all, { amount }) => all + amount, 0);
    const atGateway = returned.reduce((all, { amountMinor }) => all + amountMinor, 0);
    const isCounted = ({ state }: (typeof own)[number]) => state !== 'refused' && state !== 'recorded';
    assert(
      sum(own.filter(({ state }) => state !== 'refused')) <= (attempt.confirmedAmount ?? 0),
      'no refund is larger than its payment',
    );
    assert(atGateway <= sum(own.filter(isCounted)), 'I5: no money is returned twice or without a refund');
    assert(
      sum(own.filter(({ state }) => state === 'succeeded')) <= atGateway,
      'a refund succeeds only if the gateway returned the money',
    );
    assert(own.filter(({ inFlight }) => inFlight === 1).length <= 1, 'an attempt has one refund in flight');
    const isFull =
      sum(own.filter(({ state }) => state === 'succeeded' || state === 'recorded')) === attempt.confirmedAmount;
    assert(!isFull || attempt.state === 'refunded', 'a fully refunded attempt is refunded');
  }
}

/** Requires that all faults are cleared and all work is done. Checks that no charge is lost (I3). */
export async function checkNothingLost(system: System): Promise<void> {
  const orders = await system.orders();
  const attempts = await system.attempts();
  for (const charge of system.simulator.control.ledger()) {
    const attempt =
      attempts.find((each) => each.gatewayId === charge.id) ??
      attempts.find((each) => each.gatewayId === null && each.reference === charge.reference);
    const order = orders.find((each) => each.id === attempt?.orderId);
    const isPaid = order?.state === 'paid' && order.paidAttemptId === attempt?.id;
    // A refunded attempt without a gateway id (lost answer) is matched by its reference.
    const isRefunded = attempts.some(
      ({ state, gatewayId, reference }) =>
        state === 'refunded' && (gatewayId ?? charge.id) === charge.id && reference === charge.reference,
    );
    const isInReview = order !== undefined && needsReview(order);
    // Without references in answers nothing disproves a wrong decision to close a lost payment.
    const isClosed = profileOfThisRun() === 'minimal' && attempt?.gatewayId === null && attempt.state === 'cancelled';
    assert(isPaid || isRefunded || isInReview || isClosed, 'I3: each charge is paid, refunded or in review');
  }
  for (const order of orders) assert(order.state !== 'pending', 'I3: no order stays pending');
}
