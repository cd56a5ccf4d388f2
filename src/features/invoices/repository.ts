/** Invoice requests, what the merchant issued for them, and single-use links that open the invoice form of an order. Links are stored as hashes. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../db/database.js';
import type { Schema } from '../../db/schema.js';
import type { InvoiceFilesTable, InvoiceRequestsTable } from './tables.js';

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
export async function putInvoiceRequest(queries: Db, request: Insertable<InvoiceRequestsTable>): Promise<void> {
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

export type FileKind = InvoiceFilesTable['kind'];
export const INVOICE_STATES = ['to_issue', 'issued'] as const;
export type IssuedState = (typeof INVOICE_STATES)[number];

/** Stores a file of a locked order. Replaces an earlier one. */
export async function putInvoiceFile(queries: Db, file: Selectable<InvoiceFilesTable>): Promise<void> {
  await queries
    .insertInto('invoiceFiles')
    .values(file)
    .onConflict((conflict) => conflict.columns(['orderId', 'kind']).doUpdateSet({ bytes: file.bytes }))
    .execute();
}

/** Deletes the files of a locked order. They belong to data that was replaced. */
export async function deleteInvoiceFiles(queries: Db, orderId: string): Promise<void> {
  await queries.deleteFrom('invoiceFiles').where('orderId', '=', orderId).execute();
}

export async function findFileKinds(queries: Db, orderId: string): Promise<readonly FileKind[]> {
  const files = queries.selectFrom('invoiceFiles').select('kind').where('orderId', '=', orderId);
  return (await files.orderBy('kind').execute()).map(({ kind }) => kind);
}

/** Returns the files of an order with their content. */
export async function readInvoiceFiles(
  queries: Db,
  orderId: string,
): Promise<readonly Pick<Selectable<InvoiceFilesTable>, 'kind' | 'bytes'>[]> {
  const files = queries.selectFrom('invoiceFiles').select(['kind', 'bytes']).where('orderId', '=', orderId);
  // SQLite returns another type of buffer.
  return (await files.orderBy('kind').execute()).map(({ kind, bytes }) => ({ kind, bytes: Buffer.from(bytes) }));
}

export async function setIssued(queries: Db, orderId: string, issuedAt: number): Promise<void> {
  await queries.updateTable('invoiceRequests').set({ issuedAt }).where('orderId', '=', orderId).execute();
}

/** Returns a page of requests with their orders: those to issue by time of request, those issued newest first. */
export function findInvoices(queries: Db, { state, rfc, limit, offset = 0 }: InvoiceSearch) {
  const isIssued = state === 'issued';
  return queries
    .selectFrom('invoiceRequests')
    .innerJoin('orders', 'orders.id', 'invoiceRequests.orderId')
    .select(['orders.number', 'orders.total', 'invoiceRequests.rfc', 'invoiceRequests.name'])
    .select(['invoiceRequests.createdAt', 'invoiceRequests.issuedAt'])
    .where('issuedAt', isIssued ? 'is not' : 'is', null)
    .$if(rfc !== '', (query) => query.where('rfc', '=', rfc))
    .orderBy(isIssued ? 'issuedAt' : 'invoiceRequests.createdAt', isIssued ? 'desc' : 'asc')
    .orderBy('invoiceRequests.orderId')
    .limit(limit)
    .offset(offset)
    .execute();
}

interface InvoiceSearch {
  readonly state: IssuedState;
  /** Empty: all. */
  readonly rfc: string;
  readonly limit: number;
  readonly offset?: number;
}
