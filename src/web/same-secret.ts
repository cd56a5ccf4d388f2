import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** `timingSafeEqual` requires equal lengths. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
