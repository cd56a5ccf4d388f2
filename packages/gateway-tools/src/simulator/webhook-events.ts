/** Webhook events as the public material shows them; the interface (section 6) shows none. */
import type { Attempt, Payment, Refund, Session } from './model.js';
import { capitalize, declineFields, isoMicroseconds, sessionObject } from './responses.js';
import type { SimulatorState } from './state.js';
import { emitWebhook } from './webhooks.js';

/** Sends some fields of the session. */
export function emitSessionEvent(
  state: SimulatorState,
  action: 'session.created' | 'session.completed' | 'session.expired',
  session: Session,
): void {
  const object = sessionObject(state, session);
  const { id, url, amount_total, currency, status, payment_id, transaction_status } = object;
  const { customer, metadata, created_at, paid_at } = object;
  const times = {
    'session.created': { created_at },
    'session.completed': { created_at, paid_at },
    'session.expired': {},
  };
  const amount = { amount_total, currency };
  const states = { status, payment_id, transaction_status };
  const data = { id, url, ...amount, ...states, ...times[action], customer, metadata };
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
    amount: String(payment.amountMinor / 100),
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
