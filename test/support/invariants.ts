/** Invariants of payments that hold at any time, computed from the gateway's ledger and the shop's rows. */
import type { Db } from '../../src/tables/database.js';
import type { TestShop } from './test-shop.js';

type Ledger = ReturnType<TestShop['control']['ledger']>;
type Charge = Ledger[number];

export type ShopState = Awaited<ReturnType<typeof readShopRows>> & {
  readonly ledger: Ledger;
  /** All money that the gateway returned. */
  readonly returned: ReturnType<TestShop['control']['refundLedger']>;
};

/** `review`: the order is in review, has a review reason or an unknown outcome. `lost`: none of them. */
export type ChargeState = 'paid' | 'review' | 'lost';

const MAX_EXAMPLES = 4;

/** Each rule returns the orders, charges or refunds that violate it. */
const RULES: Readonly<Record<string, (state: ShopState) => readonly string[]>> = {
  'I1 falsely paid': findFalselyPaid,
  'I2 fulfilled twice, or not as paid': findWrongFulfillments,
  'I3 charged and lost': (state) => chargesIn('lost', state).map(({ kind, reference }) => `${kind} ${reference}`),
  'I4 paid and reverted': findReverted,
  'I5 charged twice for one attempt': findDoubleCharges,
  'I1 refunded without the gateway': findFalselyRefunded,
  'I3 refunded and lost': findLostRefunds,
  'I5 refunded more than paid': findExcessRefunds,
};

/** Reads the rows of orders and payments of all customers. */
export async function readShopRows(queries: Db) {
  const changes = await queries
    .selectFrom('orderEvents')
    .select(['orderId', 'detail'])
    .where('kind', '=', 'moved')
    .orderBy('id')
    .execute();
  return {
    orders: await queries
      .selectFrom('orders')
      .select(['id', 'number', 'token', 'state', 'total', 'currency'])
      .select(['reviewReason', 'supersededBy', 'paidAttemptId', 'confirmedAt'])
      .execute(),
    attempts: await queries
      .selectFrom('attempts')
      .select(['id', 'orderId', 'flow', 'reference', 'gatewayId', 'offerEndsAt'])
      .execute(),
    /** Orders whose payment past the gateway a manager recorded, once for each record. */
    recordedOutside: (
      await queries.selectFrom('orderEvents').select('orderId').where('kind', '=', 'paid_outside').execute()
    ).map(({ orderId }) => orderId),
    refunds: await queries
      .selectFrom('refunds')
      .select(['id', 'orderId', 'attemptId', 'state', 'amount', 'gatewayRefundId'])
      .execute(),
    fulfillments: await queries.selectFrom('fulfillments').select(['orderId', 'stockTaken']).execute(),
    /** All state changes of all orders, oldest first. */
    transitions: changes.map(({ orderId, detail }) => {
      const { from, to }: { from?: unknown; to?: unknown } = JSON.parse(detail);
      return { orderId, from, to };
    }),
  };
}

/** Returns the violations of a test shop. Reads the ledger first: a charge after it must not count as lost. */
export async function violationsOf({ control, queries }: Pick<TestShop, 'control' | 'queries'>) {
  const money = { ledger: control.ledger(), returned: control.refundLedger() };
  return findViolations({ ...money, ...(await readShopRows(queries)) });
}

export function findViolations(state: ShopState): readonly string[] {
  return Object.entries(RULES).flatMap(([rule, find]) => {
    const names = find(state);
    const more = names.length > MAX_EXAMPLES ? ' …' : '';
    const examples = `${names.slice(0, MAX_EXAMPLES).join(', ')}${more}`;
    return names.length === 0 ? [] : [`${rule}: ${names.length} (${examples})`];
  });
}

export function chargesIn(wanted: ChargeState, state: ShopState): readonly Charge[] {
  const attempts = new Map(state.attempts.map((attempt) => [attempt.gatewayId, attempt]));
  const byReference = new Map(state.attempts.map((attempt) => [attempt.reference, attempt]));
  const orders = new Map(state.orders.map((order) => [order.id, order]));
  const stateOf = ({ id, reference }: Charge): ChargeState => {
    const attempt = attempts.get(id) ?? byReference.get(reference ?? '');
    const order = attempt && orders.get(attempt.orderId);
    if (!order) return 'lost';
    if (order.state === 'paid' && order.paidAttemptId === attempt.id) return 'paid';
    const isInReview = order.reviewReason !== null || ['review', 'outcome_unknown'].includes(order.state);
    return isInReview ? 'review' : 'lost';
  };
  return state.ledger.filter((charge) => stateOf(charge) === wanted);
}

function findFalselyPaid({ ledger, orders, attempts, recordedOutside }: ShopState): readonly string[] {
  return orders
    .filter((order) => order.state === 'paid')
    .filter((order) => {
      const attempt = attempts.find(({ id }) => id === order.paidAttemptId);
      if (attempt?.flow === 'outside') return recordedOutside.filter((id) => id === order.id).length !== 1;
      const charge = ledger.find(({ id }) => id === attempt?.gatewayId);
      return !(
        charge?.amountMinor === order.total &&
        charge.currency === order.currency &&
        charge.reference === attempt?.reference &&
        attempt.orderId === order.id
      );
    })
    .map((order) => order.number);
}

/** Returns orders with more or fewer fulfillments than their state requires. */
function findWrongFulfillments({ orders, fulfillments }: ShopState): readonly string[] {
  const counts = new Map<string, number>();
  for (const { orderId } of fulfillments) counts.set(orderId, (counts.get(orderId) ?? 0) + 1);
  return orders
    .filter(({ id, state }) => (counts.get(id) ?? 0) !== (state === 'paid' ? 1 : 0))
    .map(({ id, number, state }) => `${number} ${state} ×${counts.get(id) ?? 0}`);
}

function findReverted({ orders, transitions }: ShopState): readonly string[] {
  const paid = new Set(orders.filter(({ state }) => state === 'paid').map(({ id }) => id));
  return transitions
    .filter(({ orderId, from, to }) => from === 'paid' || (to === 'paid' && !paid.has(orderId)))
    .map(({ orderId }) => orderId);
}

/** A card reference belongs to one payment. A session's reference belongs to the order, which may have several. */
function findDoubleCharges({ ledger }: ShopState): readonly string[] {
  const references = ledger.filter(({ kind }) => kind === 'payment').map(({ reference }) => reference ?? '');
  return references.filter((reference, index) => references.indexOf(reference) !== index);
}

/** Returns succeeded refunds without an entry of the same id and amount in the ledger. */
function findFalselyRefunded({ refunds, returned }: ShopState): readonly string[] {
  return refunds
    .filter(({ state }) => state === 'succeeded')
    .filter(({ gatewayRefundId, amount }) => {
      return !returned.some(({ id, amountMinor }) => id === gatewayRefundId && amountMinor === amount);
    })
    .map(({ id }) => id);
}

/** Returns payments whose money was returned, and which have no refund, or only refused ones. */
function findLostRefunds({ attempts, refunds, returned }: ShopState): readonly string[] {
  return returned
    .map(({ originalId }) => originalId)
    .filter((paymentId) => {
      const attempt = attempts.find(({ gatewayId }) => gatewayId === paymentId);
      return !refunds.some(({ attemptId, state }) => attemptId === attempt?.id && state !== 'refused');
    });
}

function findExcessRefunds({ ledger, returned }: ShopState): readonly string[] {
  return ledger
    .filter(({ id, amountMinor }) => {
      const own = returned.filter(({ originalId }) => originalId === id);
      return own.reduce((sum, entry) => sum + entry.amountMinor, 0) > amountMinor;
    })
    .map(({ id }) => id);
}
