/**
 * How long a payment may take, until its answer is stored. Each time follows from those before it, in milliseconds.
 * While a process stores the answer of a card payment or refund, no other process ends it.
 */
import { TRANSACTION_LIMITS } from './database/transaction-scope.js';
import { CALLS } from './gateway/errors.js';

const { totalMs, lockMs, idleMs } = TRANSACTION_LIMITS;

/**
 * A transaction is ended by force after `totalMs`. With PostgreSQL the server ends that of a frozen process: its wait for a
 * lock after `lockMs`, and then its silence after `idleMs`.
 */
export const LONGEST_HOLD_MS = Math.max(totalMs, lockMs + idleMs);

/** Tries to store an answer begin until then. The try that waits when the longest hold ends gets the lock. */
export const RETRY_FOR_MS = LONGEST_HOLD_MS + lockMs;

/** From the begin of the first try to the end of the last one. */
export const LONGEST_STORE_MS = RETRY_FOR_MS + totalMs;

/** From the time in the lease to the call: the end of the transaction, and the limits of starts. */
const START_MS = 2_000;
/** A card payment is sent by then, or never: a frozen process must not charge after another process ended its attempt. */
export const LATEST_CARD_CALL_MS = 10_000;

/**
 * Lease of a caller that starts a payment, per flow. Nothing ends a card payment or refund before its answer is stored. The
 * lease of a hosted session ends earlier, because its customer waits for it after a crash. A session that is stored later was
 * shown to no customer, and is watched.
 */
export const LEASE_MS = {
  hosted: START_MS + CALLS['create-session'].deadlineMs + START_MS,
  card: START_MS + Math.max(CALLS['process-payment'].deadlineMs, CALLS['refund-payment'].deadlineMs) + LONGEST_STORE_MS,
} as const;

/** How long a request waits for its answer to be stored. It took up to 24.5 s before, and a proxy waits 60 s. */
export const REQUEST_WAIT_MS = 6_000;

/** Requests in flight have 28 s after the begin of the shutdown. */
export const CLOSE_MS = 28_000;
/** Answers are stored until then. */
export const SHUTDOWN_MS = CLOSE_MS + RETRY_FOR_MS;
