import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../db/database.js';
import { ORDER_TOKEN_BYTES, orderToken } from '../../payments/rules/index.js';
import { hasInvoiceLink, insertInvoiceLink } from './repository.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Stores a new link for 24 hours. Returns its secret part, which only the mail holds. */
export async function createInvoiceLink(queries: Db, orderId: string, at: number): Promise<string> {
  const secret = orderToken(randomBytes(ORDER_TOKEN_BYTES));
  await insertInvoiceLink(queries, { hash: hashOf(secret), orderId, expiresAt: at + LIFETIME_MS });
  return secret;
}

/** Returns whether the secret part belongs to a link of this order that was not used and has not expired. */
export function isInvoiceLink(queries: Db, orderId: string, secret: string, at: number): Promise<boolean> {
  return hasInvoiceLink(queries, { hash: hashOf(secret), orderId, at });
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
