/** Sessions, payments and transactions as the gateway sends them, in both profiles (interface, sections 2.2 to 2.4). */
import { bankReturn } from './bank.js';
import { bankAddress } from './challenges.js';
import { capitalised, declineMembers, microseconds } from './events.js';
import type { Payment, Session } from './model.js';
import type { World } from './world.js';

/** The whole object of the interface document. */
export function sessionObject(world: World, session: Session): unknown {
  const { request } = session;
  return {
    ...essentials(world, session),
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

/** The public samples abbreviate a session that has been paid. */
export function readBack(world: World, session: Session): unknown {
  if (world.settings.profile === 'interface' || session.status !== 'completed') {
    return sessionObject(world, session);
  }
  return { ...essentials(world, session), paid_at: session.paidAt };
}

function sessionUrl(world: World, id: string): string {
  return `${world.url}/checkout/${id}`;
}

function essentials(world: World, session: Session) {
  return {
    id: session.id,
    url: sessionUrl(world, session.id),
    status: session.status,
    payment_id: session.paymentId,
    amount_total: session.request.amount_total,
    currency: session.request.currency,
    external_id: session.request.external_id ?? null,
    transaction_status: session.transactionStatus,
  };
}

/** The response of process. */
export function paymentObject(world: World, payment: Payment, httpStatus: number): unknown {
  const next = nextAction(world, payment);
  if (world.settings.profile === 'interface') return { ...plainMembers(payment), ...next };
  return { ...publicMembers(payment), amount: payment.amount, status_code: httpStatus, ...next };
}

/** The response of the transaction lookup. */
export function transactionObject(world: World, payment: Payment): unknown {
  if (world.settings.profile === 'interface') {
    return { ...plainMembers(payment), client_reference: payment.reference };
  }
  return {
    ...publicMembers(payment),
    amount: fourDecimals(payment.amountMinor),
    status_code: 200,
    updated_at: microseconds(payment.updatedAt),
    ...completion(payment),
    ...nextAction(world, payment),
  };
}

function plainMembers(payment: Payment) {
  // The interface has one status for a successful card payment.
  const word = payment.status === 'success' ? 'authorized' : payment.status;
  return {
    id: payment.id,
    operation_type: 'payment',
    status: payment.forced ? payment.status : word,
    amount: payment.amount,
    currency: payment.currency,
    payment_id: payment.paymentId,
    transaction_id: String(payment.transactionId),
    created_at: new Date(payment.createdAt).toISOString(),
  };
}

function publicMembers(payment: Payment) {
  return {
    id: payment.id,
    operation_type: 'payment',
    status: payment.forced ? payment.status : capitalised(payment.status),
    currency: payment.currency,
    client_reference: payment.reference,
    metadata: payment.metadata,
    payment_id: payment.paymentId,
    transaction_id: payment.transactionId,
    provider: 'simulator',
    created_at: microseconds(payment.createdAt),
    ...declineMembers(payment),
  };
}

function nextAction(world: World, payment: Payment) {
  if (payment.status !== 'pending' || payment.challengeId === undefined) return {};
  const url = bankAddress(world, payment.challengeId);
  if (world.settings.profile === 'interface') return { next_action: { redirect_to_url: { url } } };
  const redirect = {
    url,
    return_url: bankReturn(world, payment.returnUrl, payment.paymentId),
    verify_transaction_status_url: `/transactions/${payment.id}/`,
  };
  return { next_action: { redirect_to_url: redirect } };
}

function completion(payment: Payment) {
  if (payment.status !== 'success' && payment.status !== 'authorized') return {};
  const details = {
    completed_at: microseconds(payment.updatedAt),
    authorization_code: String(payment.transactionId % 1_000_000).padStart(6, '0'),
  };
  return { completion_details: details };
}

/** The lookup has four decimals: "249.9000". */
function fourDecimals(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}00`;
}
