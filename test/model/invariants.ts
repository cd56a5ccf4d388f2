import type { Model } from './commands.js';
import type { World } from './world.js';

/** Throws an error that names the broken invariant. `model` counts the card submits of the customer. */
export async function checkInvariants(world: World, model: Model): Promise<void> {
  const orders = await world.orders();
  const attempts = await world.attempts();
  const charges = world.charges();
  const fulfillments = await world.fulfillments();

  for (const order of orders.filter((each) => each.state === 'paid')) {
    world.paidOnce.add(order.id);
    const attempt = attempts.find((each) => each.id === order.paidAttemptId);
    const charge = charges.find((each) => each.id === attempt?.gatewayId);
    lease(charge !== undefined, 'I1: a paid order has its charge');
    lease(
      charge?.amountMinor === order.total && charge.currency === order.currency,
      'I1: of the same amount',
    );
    lease(charge?.reference === attempt?.reference, 'I1: under the same reference');
  }
  const paid = orders.filter((order) => order.state === 'paid').map((order) => order.id);
  lease(
    fulfillments.length === paid.length && fulfillments.every((each) => paid.includes(each.orderId)),
    'I2: one fulfillment for each paid order and for no other',
  );
  for (const id of world.paidOnce) lease(paid.includes(id), 'I4: paid stays paid');

  const sent = world.simulator.control.calls('process').map((call) => call.headers['x-request-id']);
  lease(
    sent.every((id) => attempts.some((attempt) => attempt.id === id)),
    'I5: no card payment without an attempt',
  );
  lease(new Set(sent).size === sent.length, 'I5: no card payment is sent twice');
  lease(sent.length <= model.cardSubmits, 'I5: no card payment without the customer');
  for (const order of orders) {
    const own = attempts.filter((attempt) => attempt.orderId === order.id);
    lease(own.filter((attempt) => attempt.live === 1).length <= 1, 'I5: one live attempt an order');
    const unknown = own.find((attempt) => attempt.state === 'unknown');
    lease(
      !unknown || own.every((each) => each.ordinal <= unknown.ordinal),
      'I5: nothing new after an unknown outcome',
    );
  }
}

/**
 * Requires that all faults are cleared and all work is done. Throws if a charge is unknown to the shop or an
 * order is still pending.
 */
export async function checkNothingLost(world: World): Promise<void> {
  const orders = await world.orders();
  const attempts = await world.attempts();
  for (const charge of world.charges()) {
    const attempt = attempts.find((each) => each.gatewayId === charge.id);
    const order = orders.find((each) => each.id === attempt?.orderId);
    const paid = order?.state === 'paid' && order.paidAttemptId === attempt?.id;
    // The merchant recorded a refund by gateway id. An attempt without a gateway id (lost response) is matched
    // by reference.
    const refunded = attempts.some(
      ({ state, gatewayId, reference }) =>
        state === 'refunded' && (gatewayId ?? charge.id) === charge.id && reference === charge.reference,
    );
    const waits = (order?.reviewReason ?? null) !== null;
    lease(paid || refunded || waits, 'I3: a charge is a paid order, was given back, or waits for a person');
  }
  for (const order of orders) {
    lease(order.state !== 'pending', 'I3: no order waits for ever');
  }
}

function lease(holds: boolean, promise: string): void {
  if (!holds) throw new Error(promise);
}
