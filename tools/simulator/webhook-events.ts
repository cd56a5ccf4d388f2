/** Webhook events as the public material shows them; the interface (section 6) shows none. */
import type { Attempt, Payment, Refund, Session } from './model.js';
import type { SimulatorState } from './state.js';
import { emitWebhook } from './webhooks.js';

export function emitSessionEvent(
  state: SimulatorState,
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
    url: `${state.url}/checkout/${session.id}`,
    amount_total: request.amount_total,
    currency: request.currency,
    status: session.status,
    payment_id: session.paymentId,
    transaction_status: session.transactionStatus,
    ...times[action],
    customer: request.customer,
    metadata: request.metadata ?? {},
  };
  emitHostedEvent(state, action, data);
}

export function emitAttemptEvent(state: SimulatorState, session: Session, attempt: Attempt): void {
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
  emitHostedEvent(state, 'payment.transaction', data);
}

export function emitPaymentEvent(state: SimulatorState, payment: Payment): void {
  const status = capitalize(payment.status);
  const event = `payment_${status}`;
  emitWebhook(state, event, {
    id: payment.id,
    operation_type: 'payment',
    amount: String(payment.amount),
    currency: payment.currency,
    client_reference: payment.reference,
    status,
    provider: 'simulator',
    transaction_id: String(payment.transactionId),
    payment_method_type: 'CARD',
    created: isoMicroseconds(payment.updatedAt),
    metadata: payment.metadata,
    event_type: event,
    action: 'MODIFY',
    ...declineFields(payment),
  });
}

/** Sends the webhook event of a refund. Its name and form are unpublished and follow those of card payments. */
export function emitRefundEvent(state: SimulatorState, refund: Refund): void {
  const event = `refund_${refund.status}`;
  emitWebhook(state, event, {
    id: refund.id,
    operation_type: 'refund',
    amount: String(refund.amountMinor / 100),
    currency: refund.currency,
    client_reference: null,
    status: refund.status,
    provider: 'simulator',
    transaction_id: String(refund.transactionId),
    original_transaction_id: refund.originalId,
    created: isoMicroseconds(state.now()),
    event_type: event,
    action: 'MODIFY',
  });
}

function emitHostedEvent(state: SimulatorState, action: string, data: object): void {
  emitWebhook(state, action, { action, type: 'checkout.hosted', data });
}

export function declineFields({ decline }: Payment): Readonly<Record<string, string>> {
  return decline === undefined ? {} : { decline_code: decline.code, decline_reason: decline.reason };
}

/** Returns the status with an upper-case first letter, as webhook events have it. */
export function capitalize(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** ISO 8601 with six decimals, as in the public samples. */
export function isoMicroseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
