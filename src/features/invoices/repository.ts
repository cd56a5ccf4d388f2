/** Invoice requests, and what the merchant issued for them. */

import { findRefunds, findRemainders } from '@tianguis/payments/back-office';
import { type Centavos, centavos, isInFlight } from '@tianguis/payments/rules';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../tables/database.js';
import type { Order } from '../../tables/orders.js';
import type { InvoiceFilesTable, InvoiceRequestsTable } from './tables.js';

export type InvoiceRequest = Readonly<Selectable<InvoiceRequestsTable>>;

export function findInvoiceRequests(queries: Db, orderIds: readonly string[]): Promise<readonly InvoiceRequest[]> {
  return queries.selectFrom('invoiceRequests').selectAll().where('orderId', 'in', orderIds).execute();
}

/** Writes the invoice request of a locked order. Replaces an earlier one, and deletes its files. */
export async function putInvoiceRequest(queries: Db, request: Omit<InvoiceRequest, 'issuedAt'>): Promise<void> {
  const { orderId: _orderId, createdAt: _createdAt, ...changes } = request;
  await queries
    .insertInto('invoiceRequests')
    .values(request)
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(changes))
    .execute();
  await queries.deleteFrom('invoiceFiles').where('orderId', '=', request.orderId).execute();
}

/** Changes the address of the request of a locked order. Its files stay valid. */
export async function setInvoiceEmail(
  queries: Db,
  { orderId, ...changes }: Pick<InvoiceRequest, 'orderId' | 'email' | 'version' | 'updatedAt'>,
): Promise<void> {
  await queries.updateTable('invoiceRequests').set(changes).where('orderId', '=', orderId).execute();
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

export async function findFileKinds(queries: Db, orderId: string): Promise<readonly FileKind[]> {
  const files = queries.selectFrom('invoiceFiles').select('kind').where('orderId', '=', orderId);
  return (await files.orderBy('kind').execute()).map(({ kind }) => kind);
}

/** Returns the files of an order with their content. */
export async function readInvoiceFiles(queries: Db, orderId: string) {
  const files = queries.selectFrom('invoiceFiles').select(['kind', 'bytes']).where('orderId', '=', orderId);
  // SQLite returns another type of buffer.
  return (await files.orderBy('kind').execute()).map(({ kind, bytes }) => ({ kind, bytes: Buffer.from(bytes) }));
}

export async function setIssued(queries: Db, orderId: string, issuedAt: number): Promise<void> {
  await queries.updateTable('invoiceRequests').set({ issuedAt }).where('orderId', '=', orderId).execute();
}

/** The order has a payment that was not taken back as a whole, and no refund of it is in flight. */
const HAS_REMAINDER = sql<boolean>`
  not exists (select 1 from attempts where attempts.id = orders.paid_attempt_id and attempts.state = 'refunded')
  and not exists (select 1 from refunds where refunds.attempt_id = orders.paid_attempt_id and refunds.in_flight = 1)
  and orders.total > coalesce((select sum(refunds.amount) from refunds where refunds.order_id = orders.id
    and refunds.attempt_id = orders.paid_attempt_id and refunds.state in ('succeeded', 'recorded')), 0)`;

/** Returns what an invoice of this order is issued for. 0: nothing is left, or a refund is in flight. */
export async function findAmountToInvoice(queries: Db, order: Order): Promise<Centavos> {
  const refunds = await findRefunds(queries, order.id);
  if (refunds.some(({ attemptId, state }) => attemptId === order.paidAttemptId && isInFlight(state)))
    return centavos(0);
  return (await findRemainders(queries, [order])).get(order.id) ?? order.total;
}

/**
 * Returns a page of requests with their orders: those to issue by time of request, those issued newest first. An order without
 * anything left to invoice is not to issue.
 */
export function findInvoices(queries: Db, { state, rfc, limit, offset = 0 }: InvoiceSearch) {
  const isIssued = state === 'issued';
  return queries
    .selectFrom('invoiceRequests')
    .innerJoin('orders', 'orders.id', 'invoiceRequests.orderId')
    .select(['orders.id', 'orders.number', 'orders.state', 'orders.total', 'orders.paidAttemptId'])
    .select(['invoiceRequests.rfc', 'invoiceRequests.name'])
    .select(['invoiceRequests.createdAt', 'invoiceRequests.issuedAt'])
    .where('issuedAt', isIssued ? 'is not' : 'is', null)
    .$if(!isIssued, (query) => query.where(HAS_REMAINDER))
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
