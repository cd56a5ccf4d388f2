/** The life of a card payment at the unified endpoint. */
import { createHash, randomUUID } from 'node:crypto';
import { closeIfLate, openChallenge } from './challenges.js';
import { announcePayment } from './events.js';
import type { Payment, PaymentRequest, Replay } from './model.js';
import { declineAfterChallenge, verdictOn } from './outcomes.js';
import { minorOf } from './payment-rules.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

/** Charges, declines, or sends the shopper to the bank. */
export function createPayment(world: World, request: PaymentRequest): Payment {
  const token = world.tokens.get(request.payment_method.card_number);
  const verdict = verdictOn(token?.card.outcome ?? 'processing_error');
  if (token === undefined || verdict.kind === 'error') throw processingError();
  const payment = newPayment(world, request, token.card);
  switch (verdict.kind) {
    case 'paid':
      return settlePayment(world, payment, { status: verdict.status });
    case 'declined':
      return settlePayment(world, payment, { status: 'declined', decline: verdict.decline });
    case 'challenge': {
      const challenge = openChallenge(world, { kind: 'payment', id: payment.id }, payment.paymentId);
      return settlePayment(world, payment, { status: 'pending', challengeId: challenge.id });
    }
  }
}

/** The payment as it stands at this moment: an unanswered bank question expires when somebody looks. */
export function findPayment(world: World, id: string): Payment | undefined {
  const payment = world.payments.get(id);
  if (payment?.status !== 'pending' || payment.challengeId === undefined) return payment;
  if (!closeIfLate(world, payment.challengeId)) return payment;
  return settlePayment(world, payment, { status: 'expired' });
}

/** The bank has answered; a payment that no longer waits stays as it is. */
export function answerPayment(world: World, payment: Payment, approved: boolean): Payment {
  if (payment.status !== 'pending') return payment;
  const decline = declineAfterChallenge(payment.card.outcome, approved);
  return settlePayment(
    world,
    payment,
    decline === undefined ? { status: 'success' } : { status: 'declined', decline },
  );
}

/** Puts a payment into any state, spoken exactly as given; a word that means paid is a charge. */
export function forcePayment(world: World, payment: Payment, status: string): Payment {
  return settlePayment(world, payment, { status, forced: true });
}

/** The payment that this request id made before; another body under the same id is refused. */
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

/** Keeps an answer so that the same request id gets it again. */
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

/** Ground truth first, then the record, then the news of it. */
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
