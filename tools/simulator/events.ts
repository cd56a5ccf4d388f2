/** Webhook events as the public material shows them; the interface (section 6) shows none. */
import type { Attempt, Payment, Session } from './model.js';
import type { World } from './world.js';

/** Sends the webhook event of a session. */
export function announceSession(
  world: World,
  action: 'session.created' | 'session.completed' | 'session.expired',
  session: Session,
): void {
  const { request } = session;
  const times = {
    'session.created': { created_at: session.createdAt },
    'session.completed': { created_at: session.createdAt, paid_at: session.paidAt },
    'session.expired': {},
  };
  const data = {
    id: session.id,
    url: `${world.url}/checkout/${session.id}`,
    amount_total: request.amount_total,
    currency: request.currency,
    status: session.status,
    payment_id: session.paymentId,
    transaction_status: session.transactionStatus,
    ...times[action],
    customer: request.customer,
    metadata: request.metadata ?? {},
  };
  world.webhooks.emit({ name: action, payload: { action, type: 'checkout.hosted', data } });
}

/** Sends the webhook event of an attempt on the hosted page. */
export function announceAttempt(world: World, session: Session, attempt: Attempt): void {
  const { amount_total, currency, customer, metadata } = session.request;
  const data = {
    payment_id: attempt.paymentId,
    session_id: session.id,
    status: attempt.status,
    amount: amount_total,
    currency,
    payment_method_type: 'CARD',
    created_at: new Date(attempt.at).toISOString(),
    card_details: { brand: attempt.card.brand, last4: attempt.card.last4 },
    customer: { name: `${customer.first_name} ${customer.last_name}`, email: customer.email },
    metadata: metadata ?? {},
  };
  const action = 'payment.transaction';
  world.webhooks.emit({ name: action, payload: { action, type: 'checkout.hosted', data } });
}

/** Sends the webhook event of a card payment. */
export function announcePayment(world: World, payment: Payment): void {
  const status = capitalised(payment.status);
  const name = `payment_${status}`;
  const payload = {
    id: payment.id,
    operation_type: 'payment',
    amount: String(payment.amount),
    currency: payment.currency,
    client_reference: payment.reference,
    status,
    provider: 'simulator',
    transaction_id: String(payment.transactionId),
    payment_method_type: 'CARD',
    created: microseconds(payment.updatedAt),
    metadata: payment.metadata,
    event_type: name,
    action: 'MODIFY',
    ...declineMembers(payment),
  };
  world.webhooks.emit({ name, payload });
}

/** Returns the members that only a declined payment has. */
export function declineMembers({ decline }: Payment): Readonly<Record<string, string>> {
  return decline === undefined ? {} : { decline_code: decline.code, decline_reason: decline.reason };
}

/** Returns the word with an upper-case first letter, as webhook events have it. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** ISO 8601 with the six decimals that the public samples carry. */
export function microseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
