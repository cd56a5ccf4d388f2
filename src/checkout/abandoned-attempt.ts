import type { Attempt } from '../db/attempts.js';
import { isPlainPending } from '../gateway/status.js';

/** 8 min after the redirect to the bank, counted from the attempt's creation up to 25 s earlier. */
const ABANDONED_AFTER_MS = 8.5 * 60_000;

/**
 * Returns whether the customer may replace a live card payment that waits for 3D Secure. The customer must not have
 * returned, and the last lookup must have said plain `pending`. Allowed once per order.
 * The bank may still approve the payment, so the attempt stays watched.
 */
export function isAbandoned(live: Attempt, attempts: readonly Attempt[], now: number): boolean {
  return (
    live.flow === 'card' &&
    live.state === 'open' &&
    live.redirectUrl !== null &&
    live.returnedAt === null &&
    now - live.createdAt >= ABANDONED_AFTER_MS &&
    isPlainPending(live.gatewayStatus ?? '') &&
    attempts.every((attempt) => attempt.abandonedAt === null)
  );
}
