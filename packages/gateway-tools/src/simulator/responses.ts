/** Sessions, payments and refunds as the gateway sends them, in each profile (interface, sections 2.2 to 2.4). */
import type { Payment, Refund, Session } from './model.js';
import { bankReturnUrl, bankUrl } from './redirects.js';
import type { SimulatorState } from './state.js';

/** The response of create-session, with all fields of the interface. */
export function sessionObject(state: SimulatorState, session: Session) {
  const { request } = session;
  return {
    ...shortSession(state, session),
    expires_at: session.expiresAt,
    session_type: 'payment',
    checkout_type: 'hosted',
    success_url: request.success_url ?? null,
    return_url: request.return_url ?? (isMinimal(state) ? request.success_url : undefined),
    pending_url: request.pending_url ?? null,
    metadata: request.metadata ?? {},
    payment_method_types: ['card'],
    ui_config: request.ui_config ?? {},
    ui_config_version: request.ui_config_version ?? 'V1',
    created_at: session.createdAt,
    modified_at: session.modifiedAt,
    paid_at: session.paidAt,
    customer: request.customer,
    line_items: request.line_items,
    provider: 'simulator',
  };
}

/** The response of the session lookup. The public samples abbreviate a completed session, the interface any. */
export function lookupObject(state: SimulatorState, session: Session): unknown {
  const { profile } = state.settings;
  const isShort = isMinimal(state) || (profile === 'public-docs' && session.status === 'completed');
  if (!isShort) return sessionObject(state, session);
  return { ...shortSession(state, session), paid_at: session.paidAt ?? undefined };
}

function shortSession(state: SimulatorState, session: Session) {
  return {
    id: session.id,
    url: `${state.url}/checkout/${session.id}`,
    status: session.status,
    // The interface promises it after the payment.
    payment_id: isMinimal(state) && session.paidAt === null ? undefined : session.paymentId,
    amount_total: session.request.amount_total,
    currency: session.request.currency,
    external_id: session.request.external_id,
    transaction_status: session.transactionStatus,
  };
}

function isMinimal({ settings }: SimulatorState): boolean {
  return settings.profile === 'minimal';
}

/** The response of process, with the HTTP status that the public material repeats in the body. */
export function paymentObject(state: SimulatorState, payment: Payment, httpStatus: number): unknown {
  const amount = payment.amountMinor / 100;
  return state.settings.profile === 'public-docs'
    ? { ...publicDocsPayment(state, payment), amount, status_code: httpStatus }
    : interfacePayment(state, payment);
}

/** The response of the transaction lookup. The interface does not show its members. */
export function transactionObject(state: SimulatorState, payment: Payment): unknown {
  const { profile } = state.settings;
  if (profile === 'minimal') return interfacePayment(state, payment);
  if (profile === 'interface') return { ...interfacePayment(state, payment), client_reference: payment.reference };
  const updated_at = isoMicroseconds(payment.updatedAt);
  const authorization_code = String(payment.transactionId % 1_000_000).padStart(6, '0');
  const isComplete = payment.status === 'success' || payment.status === 'authorized';
  return {
    ...publicDocsPayment(state, payment),
    // Four decimals: "249.9000".
    amount: `${(payment.amountMinor / 100).toFixed(2)}00`,
    status_code: 200,
    updated_at,
    ...(isComplete && { completion_details: { completed_at: updated_at, authorization_code } }),
  };
}

/** The response of a refund and of its lookup. */
export function refundObject(refund: Refund, httpStatus: number): unknown {
  return {
    id: refund.id,
    operation_type: 'refund',
    status: refund.status,
    amount: refund.amountMinor / 100,
    currency: refund.currency,
    client_reference: null,
    transaction_id: refund.transactionId,
    provider: 'simulator',
    created_at: isoMicroseconds(refund.createdAt),
    status_code: httpStatus,
    original_transaction_id: refund.originalId,
    reason: null,
    refund_id: refund.refundNumber,
  };
}

function interfacePayment(state: SimulatorState, payment: Payment) {
  // The interface has one status for a successful card payment.
  const status = payment.status === 'success' ? 'authorized' : payment.status;
  return {
    id: payment.id,
    operation_type: 'payment',
    status,
    amount: payment.amountMinor / 100,
    currency: payment.currency,
    payment_id: payment.paymentId,
    transaction_id: String(payment.transactionId),
    created_at: new Date(payment.createdAt).toISOString(),
    ...nextAction(state, payment),
  };
}

function publicDocsPayment(state: SimulatorState, payment: Payment) {
  return {
    id: payment.id,
    operation_type: 'payment',
    status: capitalize(payment.status),
    currency: payment.currency,
    client_reference: payment.reference,
    metadata: payment.metadata,
    payment_id: payment.paymentId,
    transaction_id: payment.transactionId,
    provider: 'simulator',
    created_at: isoMicroseconds(payment.createdAt),
    ...declineFields(payment),
    ...nextAction(state, payment),
  };
}

function nextAction(state: SimulatorState, payment: Payment) {
  if (payment.status !== 'pending' || payment.challenge === undefined) return {};
  const url = bankUrl(state, payment.challenge);
  if (state.settings.profile !== 'public-docs') return { next_action: { redirect_to_url: { url } } };
  const redirect = {
    url,
    return_url: bankReturnUrl(state, payment.returnUrl, payment.paymentId),
    verify_transaction_status_url: `/transactions/${payment.id}/`,
  };
  return { next_action: { redirect_to_url: redirect } };
}

/** The reason of a decline, in responses and webhook events. */
export function declineFields({ decline }: Payment) {
  return decline && { decline_code: decline.code, decline_reason: decline.reason };
}

/** Returns the status with an upper-case first letter, as the public samples have it. */
export function capitalize(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** ISO 8601 with six decimals, as in the public samples. */
export function isoMicroseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
