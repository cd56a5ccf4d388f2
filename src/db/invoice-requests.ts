import type { Selectable } from 'kysely';
import type { Queries } from './connection/database.js';
import type { InvoiceRequestsTable } from './schema.js';

export type InvoiceRequest = Readonly<Selectable<InvoiceRequestsTable>>;

export function findInvoiceRequest(queries: Queries, orderId: string): Promise<InvoiceRequest | undefined> {
  return queries.selectFrom('invoiceRequests').selectAll().where('orderId', '=', orderId).executeTakeFirst();
}

export async function findInvoiceRequests(
  queries: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, InvoiceRequest>> {
  const requests = await queries.selectFrom('invoiceRequests').selectAll().where('orderId', 'in', orderIds).execute();
  return new Map(requests.map((request) => [request.orderId, request]));
}

/** Writes the invoice request of a locked order. Replaces an earlier one. */
export async function putInvoiceRequest(queries: Queries, request: InvoiceRequest): Promise<void> {
  const { orderId: _, createdAt: __, ...changes } = request;
  await queries
    .insertInto('invoiceRequests')
    .values(request)
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(changes))
    .execute();
}

/** Returns the key of the outbox job of this version of the request. */
export function invoiceJobKey({ orderId, version }: Pick<InvoiceRequest, 'orderId' | 'version'>): string {
  return `on_invoice_requested:${orderId}:${version}`;
}
