/** Values of the gateway: ids, e-mail addresses and statuses. Only this file contains the words of the statuses. */
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { maskCardNumbers } from '../domain/card-data.js';
import type { PaymentStatus } from '../domain/payment.js';
import type { RefundOutcome } from '../domain/refund.js';

/** An id of the gateway. Control characters are refused, because PostgreSQL cannot store NUL. */
export const gatewayIdSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u);

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

/** Session status → transaction status (empty when absent) → our status. */
const SESSION_STATUSES: Readonly<Record<string, Readonly<Record<string, PaymentStatus>>>> = {
  // A declined or expired try on an open page is not final: the customer may use another card there.
  pending: { pending: 'pending', declined: 'pending', expired: 'pending', '': 'pending' },
  completed: { success: 'paid' },
  expired: { pending: 'expired', declined: 'expired', expired: 'expired', '': 'expired' },
  cancelled: { pending: 'cancelled', declined: 'cancelled', expired: 'cancelled', '': 'cancelled' },
};

/**
 * Maps the two statuses of a checkout session (interface, sections 2.4.2 and 3.1). Unknown words and contradictory
 * pairs are `unclear`.
 */
export function readSessionStatus(status: string, transactionStatus: string | undefined): PaymentStatus {
  return lookUp(lookUp(SESSION_STATUSES, status), transactionStatus ?? '') ?? 'unclear';
}

const PAYMENT_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  authorized: 'paid',
  success: 'paid',
  paid_full: 'paid',
  pending: 'pending',
  processing: 'pending',
  sent_to_provider: 'pending',
  in_transit: 'pending',
  on_hold: 'pending',
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

/** Returns whether a card payment waits for the customer only: its status is `pending` and no other word for it. */
export function isPlainPending(gatewayStatus: string): boolean {
  return gatewayStatus.toLowerCase() === 'pending';
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

function lookUp<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  const key = word.toLowerCase();
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
