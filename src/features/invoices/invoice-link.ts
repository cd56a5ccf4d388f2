/** Links that open the invoice form of an order once. They are stored as hashes. */
import { createHash, randomBytes } from 'node:crypto';
import { findByToken, ORDER_TOKEN_BYTES, orderToken } from '@tianguis/payments/rules';
import type { Db } from '../../tables/database.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Stores a new link for 24 hours. Returns its secret part, which only the mail holds. */
export async function createInvoiceLink(queries: Db, orderId: string, at: number): Promise<string> {
  const secret = orderToken(randomBytes(ORDER_TOKEN_BYTES));
  const link = { hash: hashOf(secret), orderId, expiresAt: at + LIFETIME_MS };
  await queries.insertInto('invoiceLinks').values(link).execute();
  return secret;
}

/**
 * Returns whether the secret part belongs to a link of this order that was not used and has not expired. `secret`: as the
 * address has it, which a mail program may have cut or extended.
 */
export async function isInvoiceLink(queries: Db, orderId: string, secret: string, at: number): Promise<boolean> {
  const link = await findByToken(secret, (token) => {
    const links = queries.selectFrom('invoiceLinks').select('hash').where('hash', '=', hashOf(token));
    return links.where('orderId', '=', orderId).where('expiresAt', '>', at).executeTakeFirst();
  });
  return link !== undefined;
}

/** Deletes all links of a locked order, so that a used link opens nothing again. */
export async function deleteInvoiceLinks(queries: Db, orderId: string): Promise<void> {
  await queries.deleteFrom('invoiceLinks').where('orderId', '=', orderId).execute();
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
