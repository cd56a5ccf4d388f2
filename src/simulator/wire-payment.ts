/** The payment and its lookup as the service answers them, in both ways of speaking. */
import { bankReturn } from './bank.js';
import { bankAddress } from './challenges.js';
import { capitalised, declineMembers, microseconds } from './events.js';
import type { Payment } from './model.js';
import type { World } from './world.js';

/** The answer to a process call. */
export function paymentObject(world: World, payment: Payment, httpStatus: number): unknown {
  const next = nextAction(world, payment);
  if (world.settings.profile === 'interface') return { ...plainMembers(payment), ...next };
  return { ...publicMembers(payment), amount: payment.amount, status_code: httpStatus, ...next };
}

/** The answer to a lookup. */
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
  // The interface document knows one word for a card payment that went well.
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

/** The lookup speaks the decimals of its database: "249.9000". */
function fourDecimals(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}00`;
}
