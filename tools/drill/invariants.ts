/** Invariants that hold after every scenario, computed from the ledger and the shop's rows. Pure. */
import type { BookedAttempt, BookedOrder, Books } from './books.js';
import type { Charge } from './strings.js';

export interface GatewayPayment {
  readonly ledger: readonly Charge[];
  readonly books: Books;
}

/** State of a charge in the shop. `seen`: the order is in review, has a review reason or an unknown outcome. */
type Standing = 'paid' | 'seen' | 'lost';

const SHOWN = 4;

/** Returns all violations as text, with at most four examples each. Empty if all invariants hold. */
export function breaches(evidence: GatewayPayment): readonly string[] {
  return [
    ...told('I1 falsely paid', falselyPaid(evidence)),
    ...told('I2 fulfilled twice, or not as paid', fulfilledWrongly(evidence.books)),
    ...told('I3 charged and lost', chargesThat('lost', evidence).map(nameOf)),
    ...told('I4 paid and reverted', undone(evidence.books)),
    ...told('I5 charged twice for one attempt', chargedTwice(evidence.ledger)),
  ];
}

/** Returns the charges in this state. */
export function chargesThat(standing: Standing, { ledger, books }: GatewayPayment): readonly Charge[] {
  const attempts = new Map(books.attempts.map((attempt) => [attempt.gatewayId, attempt]));
  const byReference = new Map(books.attempts.map((attempt) => [attempt.reference, attempt]));
  const orders = new Map(books.orders.map((order) => [order.id, order]));
  return ledger.filter((charge) => {
    const attempt = attempts.get(charge.id) ?? byReference.get(charge.reference ?? '');
    return standingOf(attempt, attempt && orders.get(attempt.orderId)) === standing;
  });
}

function standingOf(attempt: BookedAttempt | undefined, order: BookedOrder | undefined): Standing {
  if (!attempt || !order) return 'lost';
  if (order.state === 'paid' && order.paidAttemptId === attempt.id) return 'paid';
  const shown = order.reviewReason !== null || ['review', 'outcome_unknown'].includes(order.state);
  return shown ? 'seen' : 'lost';
}

/** Returns paid orders without a charge of the same id, amount, currency and reference. */
function falselyPaid({ ledger, books }: GatewayPayment): readonly string[] {
  const attempts = new Map(books.attempts.map((attempt) => [attempt.id, attempt]));
  const charges = new Map(ledger.map((charge) => [charge.id, charge]));
  return books.orders
    .filter((order) => order.state === 'paid')
    .filter((order) => {
      const attempt = attempts.get(order.paidAttemptId ?? '');
      const charge = charges.get(attempt?.gatewayId ?? '');
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
function fulfilledWrongly(books: Books): readonly string[] {
  const times = new Map<string, number>();
  for (const { orderId } of books.fulfillments) times.set(orderId, (times.get(orderId) ?? 0) + 1);
  return books.orders
    .map((order) => ({ order, due: order.state === 'paid' ? 1 : 0, done: times.get(order.id) ?? 0 }))
    .filter(({ due, done }) => due !== done)
    .map(({ order, done }) => `${order.number} ${order.state} ×${done}`);
}

function undone(books: Books): readonly string[] {
  const states = new Map(books.orders.map((order) => [order.id, order.state]));
  return books.moves
    .filter(({ orderId, from, to }) => from === 'paid' || (to === 'paid' && states.get(orderId) !== 'paid'))
    .map(({ orderId }) => orderId);
}

function chargedTwice(ledger: readonly Charge[]): readonly string[] {
  // A card reference belongs to one payment. A session's reference belongs to the order, which may have several
  // charged sessions.
  const references = ledger.filter(({ kind }) => kind === 'payment').map(({ reference }) => reference ?? '');
  return references.filter((reference, index) => references.indexOf(reference) !== index);
}

function nameOf(charge: Charge): string {
  return `${charge.kind} ${charge.reference}`;
}

function told(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > SHOWN ? ' …' : '';
  return [`${what}: ${names.length} (${names.slice(0, SHOWN).join(', ')}${more})`];
}
