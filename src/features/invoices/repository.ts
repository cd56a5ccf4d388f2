/** Invoice requests, and single-use links that open the invoice form of an order. Links are stored as hashes. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../db/database.js';
import type { Schema } from '../../db/schema.js';
import type { InvoiceRequestsTable } from './tables.js';

export type InvoiceRequest = Readonly<Selectable<InvoiceRequestsTable>>;
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

export function findInvoiceRequest(queries: Db, orderId: string): Promise<InvoiceRequest | undefined> {
  return queries.selectFrom('invoiceRequests').selectAll().where('orderId', '=', orderId).executeTakeFirst();
}

/** Returns the key of the outbox job of this version of the request. */
export function invoiceJobKey({ orderId, version }: Pick<InvoiceRequest, 'orderId' | 'version'>): string {
  return `on_invoice_requested:${orderId}:${version}`;
}
