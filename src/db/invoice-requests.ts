import type { Selectable } from 'kysely';
import type { Db } from './database.js';
import type { InvoiceRequestsTable } from './schema.js';

export type InvoiceRequest = Readonly<Selectable<InvoiceRequestsTable>>;

export function findInvoiceRequest(queries: Db, orderId: string): Promise<InvoiceRequest | undefined> {
  return queries.selectFrom('invoiceRequests').selectAll().where('orderId', '=', orderId).executeTakeFirst();
}

/** Returns the key of the outbox job of this version of the request. */
export function invoiceJobKey({ orderId, version }: Pick<InvoiceRequest, 'orderId' | 'version'>): string {
  return `on_invoice_requested:${orderId}:${version}`;
}
