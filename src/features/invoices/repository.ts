/** Invoice requests, and single-use links that open the invoice form of an order. Links are stored as hashes. */
import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.js';
import type { InvoiceRequest } from '../../db/invoice-requests.js';
import type { Schema } from '../../db/schema.js';

type InvoiceLink = Insertable<Schema['invoiceLinks']>;

export async function insertInvoiceLink(queries: Db, link: InvoiceLink): Promise<void> {
  await queries.insertInto('invoiceLinks').values(link).execute();
}

/** Returns whether the order has this link and it has not expired. */
export async function hasInvoiceLink(
  queries: Db,
  { hash, orderId, at }: Omit<InvoiceLink, 'expiresAt'> & { readonly at: number },
): Promise<boolean> {
  const found = queries.selectFrom('invoiceLinks').select('hash').where('hash', '=', hash);
  const row = await found.where('orderId', '=', orderId).where('expiresAt', '>', at).executeTakeFirst();
  return row !== undefined;
}

/** Deletes all links of a locked order, so that a used link opens nothing again. */
export async function deleteInvoiceLinks(queries: Db, orderId: string): Promise<void> {
  await queries.deleteFrom('invoiceLinks').where('orderId', '=', orderId).execute();
}

export async function findInvoiceRequests(
  queries: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, InvoiceRequest>> {
  const requests = await queries.selectFrom('invoiceRequests').selectAll().where('orderId', 'in', orderIds).execute();
  return new Map(requests.map((request) => [request.orderId, request]));
}

/** Writes the invoice request of a locked order. Replaces an earlier one. */
export async function putInvoiceRequest(queries: Db, request: InvoiceRequest): Promise<void> {
  const { orderId: _, createdAt: __, ...changes } = request;
  await queries
    .insertInto('invoiceRequests')
    .values(request)
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(changes))
    .execute();
}
