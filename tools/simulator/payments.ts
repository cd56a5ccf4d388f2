/** Card payments of the unified endpoint. */
import { createHash, randomUUID } from 'node:crypto';
import { closeIfLate, openChallenge } from './challenges.js';
import { announcePayment } from './events.js';
import type { Payment, PaymentRequest, Replay } from './model.js';
import { Refusal } from './refusal.js';
import { minorOf } from './request-rules.js';
import { declineAfterChallenge, resultOf } from './test-cards.js';
import type { World } from './world.js';

/** Charges, declines, or creates a challenge of the bank. */
export function createPayment(world: World, request: PaymentRequest): Payment {
  const token = world.tokens.get(request.payment_method.card_number);
  const result = resultOf(token?.card.outcome ?? 'processing_error');
  if (token === undefined || result.kind === 'error') throw processingError();
  const payment = newPayment(world, request, token.card);
  switch (result.kind) {
    case 'paid':
      return settlePayment(world, payment, { status: result.status });
    case 'declined':
      return settlePayment(world, payment, { status: 'declined', decline: result.decline });
    case 'challenge': {
      const challenge = openChallenge(world, { kind: 'payment', id: payment.id }, payment.paymentId);
      return settlePayment(world, payment, { status: 'pending', challengeId: challenge.id });
    }
  }
}

/** Returns the payment; an overdue challenge expires now. */
export function findPayment(world: World, id: string): Payment | undefined {
  const payment = world.payments.get(id);
  if (payment?.status !== 'pending' || payment.challengeId === undefined) return payment;
  if (!closeIfLate(world, payment.challengeId)) return payment;
  return settlePayment(world, payment, { status: 'expired' });
}

/** Applies the bank's answer; a payment that is not pending stays as it is. */
export function answerPayment(world: World, payment: Payment, approved: boolean): Payment {
  if (payment.status !== 'pending') return payment;
  const decline = declineAfterChallenge(payment.card.outcome, approved);
  return settlePayment(
    world,
    payment,
    decline === undefined ? { status: 'success' } : { status: 'declined', decline },
  );
}

/** Sets any status, sent as given; a status that means paid is a charge. */
export function forcePayment(world: World, payment: Payment, status: string): Payment {
  return settlePayment(world, payment, { status, forced: true });
}

/** Returns the stored response of this request id; throws a refusal when the body differs. */
export function replayOf(world: World, key: string, body: unknown): Replay | undefined {
  const replay = world.payments.get(world.paymentKeys.get(key) ?? '')?.replay;
  if (replay === undefined || replay.fingerprint === fingerprintOf(body)) return replay;
  throw new Refusal({
    status: 422,
    code: 'idempotency_conflict',
    type: 'validation_error',
    message: 'This X-Request-Id was used with another body.',
    details: { 'X-Request-Id': 'belongs to another request' },
  });
}

/** Stores a response for repetitions of the request id. */
export function keepReplay(
  world: World,
  payment: Payment,
  replay: Omit<Replay, 'fingerprint'> & { request: unknown },
) {
  const { key, status, body, request } = replay;
  world.payments.save({ ...payment, replay: { key, status, body, fingerprint: fingerprintOf(request) } });
  world.paymentKeys.set(key, payment.id);
}

const paidWords: readonly string[] = ['success', 'authorized', 'paid_full'];

/** Writes the ledger first, then the payment, then sends the webhook. */
function settlePayment(world: World, payment: Payment, patch: Partial<Payment>): Payment {
  const settled = { ...payment, ...patch, updatedAt: world.now() };
  if (paidWords.includes(settled.status.toLowerCase())) charge(world, settled);
  world.payments.save(settled);
  announcePayment(world, settled);
  return settled;
}

function charge(world: World, payment: Payment): void {
  const { id, paymentId, amountMinor, currency, reference } = payment;
  world.ledger.charge({ kind: 'payment', id, paymentId, amountMinor, currency, reference, at: world.now() });
}

function newPayment(world: World, request: PaymentRequest, card: Payment['card']): Payment {
  return {
    id: randomUUID(),
    paymentId: world.nextNumber(),
    transactionId: world.nextNumber(),
    status: 'pending',
    forced: false,
    amount: request.amount,
    amountMinor: minorOf(request.amount),
    currency: request.currency,
    reference: request.client_reference,
    customer: request.customer,
    returnUrl: request.return_url,
    metadata: request.metadata ?? {},
    card,
    createdAt: world.now(),
    updatedAt: world.now(),
  };
}

function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

function processingError(): Refusal {
  return new Refusal({
    status: 500,
    code: 'processing_error',
    type: 'server_error',
    message: 'The payment could not be processed; no record of it exists.',
  });
}
