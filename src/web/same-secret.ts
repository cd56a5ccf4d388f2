import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing of either text. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** Equal lengths, so that comparing takes the same time whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
