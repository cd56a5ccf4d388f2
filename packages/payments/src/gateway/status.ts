/** Values of the gateway: ids, numbers, e-mail addresses and statuses. Only this file contains the words of the statuses. */
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { maskCardNumbers } from '../rules/card-data.js';
import type { GatewayNumbers, PaymentStatus } from '../rules/payment.js';
import type { RefundOutcome } from '../rules/refund.js';

/** An id of the gateway. Control characters are refused, because PostgreSQL cannot store NUL. */
export const gatewayIdSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u);

/** A number of the gateway's dashboard, as text. The interface and public answers disagree about its type. */
const gatewayNumber = z
  .union([z.string(), z.int().transform(String)])
  .pipe(z.string().regex(/^\P{Cc}{1,100}$/u))
  .optional()
  .catch(undefined);

/** The members that only identify a payment for people (interface, sections 2.2 and 2.4.2). */
export const NUMBER_MEMBERS = { transaction_id: gatewayNumber, payment_id: gatewayNumber, provider: gatewayNumber };

export function readNumbers(members: {
  readonly transaction_id?: string | undefined;
  readonly payment_id?: string | undefined;
  readonly provider?: string | undefined;
}): GatewayNumbers {
  return { transactionId: members.transaction_id, paymentId: members.payment_id, provider: members.provider };
}

/** Returns the names of the members that an answer has and that its schema read as absent. */
export function unreadMembers(answer: unknown, read: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const given = Object(answer) as Readonly<Record<string, unknown>>;
  return names.filter((name) => (given[name] ?? undefined) !== undefined && read[name] === undefined);
}

/** Converts the domain of an e-mail address to ASCII, the only form that the gateway accepts (`exámple.mx` → `xn--…`). */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  return domain === '' ? email : `${email.slice(0, at)}@${domain}`;
}

/** The gateway's words as they are stored: no card number, and `?` for each control character. */
export function storableStatus(gatewayStatus: string): string {
  return maskCardNumbers(gatewayStatus.replace(/\p{Cc}/gu, '?'));
}

const CANCELLED = { pending: 'cancelled', declined: 'cancelled', expired: 'cancelled', '': 'cancelled' } as const;

/** Session status → transaction status (empty when absent) → our status. */
const SESSION_STATUSES: Readonly<Record<string, Readonly<Record<string, PaymentStatus>>>> = {
  // A declined or expired try on an open page is not final: the customer may use another card there.
  pending: { pending: 'pending', declined: 'pending', expired: 'pending', '': 'pending', success: 'unclear' },
  completed: { success: 'paid' },
  expired: { pending: 'expired', declined: 'expired', expired: 'expired', '': 'expired' },
  cancelled: CANCELLED,
  canceled: CANCELLED,
};

/**
 * Maps the two statuses of a checkout session (interface, sections 2.4.2 and 3.1). Contradictory pairs are `unclear`, and so is
 * an end without payment beside a time of payment. An unknown session status, and an unknown transaction status of a pending
 * session, are `processing`.
 */
export function readSessionStatus(
  status: string,
  transactionStatus: string | undefined,
  hasPaidAt = false,
): PaymentStatus {
  const pair = lookUp(lookUp(SESSION_STATUSES, status), transactionStatus ?? '');
  if (hasPaidAt && (pair === 'expired' || pair === 'cancelled')) return 'unclear';
  return pair ?? (mayBeShown(status) ? 'processing' : 'unclear');
}

/** Returns whether a new session may be shown to the customer. Only its end is refused: lookups decide about money. */
export function mayBeShown(status: string): boolean {
  return isWord(status, 'pending') || lookUp(SESSION_STATUSES, status) === undefined;
}

const PAYMENT_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  authorized: 'paid',
  success: 'paid',
  paid_full: 'paid',
  pending: 'pending',
  processing: 'processing',
  sent_to_provider: 'processing',
  in_transit: 'processing',
  on_hold: 'processing',
  declined: 'declined',
  rejected: 'declined',
  failed: 'declined',
  expired: 'expired',
  canceled: 'cancelled',
  cancelled: 'cancelled',
};

/**
 * Maps the status of a card payment. The interface (section 2.2) shows `authorized` only; the other words are public
 * (docs/gateway-interface.md). Unknown words are `unclear`.
 */
export function readPaymentStatus(status: string): PaymentStatus {
  return lookUp(PAYMENT_STATUSES, status) ?? 'unclear';
}

/** Maps the status of a payment in a list that was exported from the gateway. It may have the word of a session. */
export function readExportedStatus(status: string): PaymentStatus {
  return isWord(status, 'completed') ? 'paid' : readPaymentStatus(status);
}

const REFUND_WORD = /refund|reembols|devol|devuel/i;

/** Returns whether a status of an exported list says that money was returned. */
export function isRefundStatus(status: string): boolean {
  return REFUND_WORD.test(status);
}

/** Returns whether a type of an exported list is no payment. Unknown types may be payments. */
export function isNoPaymentType(type: string): boolean {
  return REFUND_WORD.test(type) || /^withdrawal|^retiro/i.test(type);
}

/** Returns whether a payment waits for the customer only. `stored`: the status words of an attempt. */
export function isPlainPending(stored: string | null): boolean {
  const [status = '', transactionStatus] = (stored ?? '').split('/');
  return readSessionStatus(status, transactionStatus) === 'pending';
}

/** Returns whether the last try on an open hosted page failed, so that no payment of it is on its way. */
export function hasFailedTry(stored: string | null): boolean {
  return isPlainPending(stored) && /\/(?:declined|expired)$/i.test(stored ?? '');
}

/** Returns whether the bank declined the last card on an open hosted page. */
export function isDeclinedTry(stored: string | null): boolean {
  return isPlainPending(stored) && /\/declined$/i.test(stored ?? '');
}

const REFUND_STATUSES: Readonly<Record<string, RefundOutcome['state']>> = {
  success: 'succeeded',
  pending: 'pending',
  failed: 'refused',
};

/** Maps the status of a refund. Unknown words are `unknown`. */
export function readRefundStatus(status: string): RefundOutcome['state'] {
  return lookUp(REFUND_STATUSES, status) ?? 'unknown';
}

function isWord(word: string, expected: string): boolean {
  return word.toLowerCase() === expected;
}

function lookUp<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  const key = word.toLowerCase();
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
