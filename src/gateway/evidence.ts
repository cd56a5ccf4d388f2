/** The service's status words, in any case, sorted into our readings. The only place that knows them. */
import type { Reading } from '../core/payment.js';

const SESSION_PAIRS: Readonly<Record<string, Readonly<Record<string, Reading>>>> = {
  // A declined or lapsed try on an open page is not the end: the shopper may use another card there.
  pending: { pending: 'pending', declined: 'pending', expired: 'pending', '': 'pending' },
  completed: { success: 'paid' },
  expired: { pending: 'expired', declined: 'expired', expired: 'expired', '': 'expired' },
  cancelled: { pending: 'cancelled', declined: 'cancelled', expired: 'cancelled', '': 'cancelled' },
};

/** Reads a session's pair of words (interface.md sections 2.4.2 and 3.1); a contradiction is `unclear`. */
export function readSessionStatus(status: string, transactionStatus: string | undefined): Reading {
  return lookUp(lookUp(SESSION_PAIRS, status), transactionStatus ?? '') ?? 'unclear';
}

const PAYMENT_WORDS: Readonly<Record<string, Reading>> = {
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

/** Reads a card payment's word (interface.md section 2.2 shows `authorized` only; see docs/service-gaps.md). */
export function readPaymentStatus(status: string): Reading {
  return lookUp(PAYMENT_WORDS, status) ?? 'unclear';
}

function lookUp<T>(table: Readonly<Record<string, T>> | undefined, word: string): T | undefined {
  const key = word.toLowerCase();
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}
