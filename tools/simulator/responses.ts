/** Sessions, payments and transactions as the gateway sends them, in both profiles (interface, sections 2.2 to 2.4). */
import { bankReturnUrl } from './bank.js';
import { bankUrl } from './challenges.js';
import type { Payment, Refund, Session } from './model.js';
import type { SimulatorState } from './state.js';
import { capitalize, declineFields, isoMicroseconds } from './webhook-events.js';

/** The response of create-session, with all fields of the interface. */
export function sessionObject(state: SimulatorState, session: Session): unknown {
  const { request } = session;
  return {
    ...shortSession(state, session),
    expires_at: session.expiresAt,
    session_type: 'payment',
    checkout_type: 'hosted',
    success_url: request.success_url ?? null,
    return_url: request.return_url ?? null,
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

/** The response of the session lookup. The public samples abbreviate a completed session. */
export function lookupObject(state: SimulatorState, session: Session): unknown {
  if (state.settings.profile === 'interface' || session.status !== 'completed') {
    return sessionObject(state, session);
  }
  return { ...shortSession(state, session), paid_at: session.paidAt };
}

function shortSession(state: SimulatorState, session: Session) {
  return {
    id: session.id,
    url: `${state.url}/checkout/${session.id}`,
    status: session.status,
    payment_id: session.paymentId,
    amount_total: session.request.amount_total,
    currency: session.request.currency,
    external_id: session.request.external_id ?? null,
    transaction_status: session.transactionStatus,
  };
}

export function paymentObject(state: SimulatorState, payment: Payment, httpStatus: number): unknown {
  const next = nextAction(state, payment);
  if (state.settings.profile === 'interface') return { ...interfaceFields(payment), ...next };
  return { ...publicDocsFields(payment), amount: payment.amount, status_code: httpStatus, ...next };
}

export function transactionObject(state: SimulatorState, payment: Payment): unknown {
  if (state.settings.profile === 'interface') {
    return { ...interfaceFields(payment), client_reference: payment.reference };
  }
  return {
    ...publicDocsFields(payment),
    amount: fourDecimals(payment.amountMinor),
    status_code: 200,
    updated_at: isoMicroseconds(payment.updatedAt),
    ...completion(payment),
    ...nextAction(state, payment),
  };
}

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

function interfaceFields(payment: Payment) {
  // The interface has one status for a successful card payment.
  const status = payment.status === 'success' && !payment.forced ? 'authorized' : payment.status;
  return {
    id: payment.id,
    operation_type: 'payment',
    status,
    amount: payment.amount,
    currency: payment.currency,
    payment_id: payment.paymentId,
    transaction_id: String(payment.transactionId),
    created_at: new Date(payment.createdAt).toISOString(),
  };
}

function publicDocsFields(payment: Payment) {
  return {
    id: payment.id,
    operation_type: 'payment',
    status: payment.forced ? payment.status : capitalize(payment.status),
    currency: payment.currency,
    client_reference: payment.reference,
    metadata: payment.metadata,
    payment_id: payment.paymentId,
    transaction_id: payment.transactionId,
    provider: 'simulator',
    created_at: isoMicroseconds(payment.createdAt),
    ...declineFields(payment),
  };
}

function nextAction(state: SimulatorState, payment: Payment) {
  if (payment.status !== 'pending' || payment.challenge === undefined) return {};
  const url = bankUrl(state, payment.challenge);
  if (state.settings.profile === 'interface') return { next_action: { redirect_to_url: { url } } };
  const redirect = {
    url,
    return_url: bankReturnUrl(state, payment.returnUrl, payment.paymentId),
    verify_transaction_status_url: `/transactions/${payment.id}/`,
  };
  return { next_action: { redirect_to_url: redirect } };
}

function completion(payment: Payment) {
  if (payment.status !== 'success' && payment.status !== 'authorized') return {};
  const details = {
    completed_at: isoMicroseconds(payment.updatedAt),
    authorization_code: String(payment.transactionId % 1_000_000).padStart(6, '0'),
  };
  return { completion_details: details };
}

/** The lookup of the public material has four decimals: "249.9000". */
function fourDecimals(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}00`;
}
