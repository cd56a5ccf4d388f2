/** Single-use links that open the invoice form of an order, and the removal of its data. Links are stored as hashes. */
import type { Insertable } from 'kysely';
import type { Queries } from '../../db/connection/database.js';
import type { Schema } from '../../db/schema.js';

type InvoiceLink = Insertable<Schema['invoiceLinks']>;

export async function insertInvoiceLink(queries: Queries, link: InvoiceLink): Promise<void> {
  await queries.insertInto('invoiceLinks').values(link).execute();
}

/** Returns whether the order has this link and it has not expired. */
export async function hasInvoiceLink(
  queries: Queries,
  { hash, orderId, at }: Omit<InvoiceLink, 'expiresAt'> & { readonly at: number },
): Promise<boolean> {
  const found = queries.selectFrom('invoiceLinks').select('hash').where('hash', '=', hash);
  const row = await found.where('orderId', '=', orderId).where('expiresAt', '>', at).executeTakeFirst();
  return row !== undefined;
}

/** Deletes all links of a locked order, so that a used link opens nothing again. */
export async function deleteInvoiceLinks(queries: Queries, orderId: string): Promise<void> {
  await queries.deleteFrom('invoiceLinks').where('orderId', '=', orderId).execute();
}

/** Deletes the invoice requests and links of these orders. */
export async function deleteInvoiceData(queries: Queries, orderIds: readonly string[]): Promise<void> {
  for (const table of ['invoiceRequests', 'invoiceLinks'] as const)
    await queries.deleteFrom(table).where('orderId', 'in', orderIds).execute();
}
