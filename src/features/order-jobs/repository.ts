import type { Db } from '../../db/database.js';
import { findInvoiceRequest, invoiceJobKey } from '../../db/invoice-requests.js';
import type { JobName, ShopJob } from '../../db/schema.js';
import { jobKey } from '../../payments/index.js';
import { PAID_JOBS } from '../../shop/shop-jobs.js';

/** The jobs that the back office shows and retries on the page of an order. */
export const ORDER_PAGE_JOBS = [
  ...PAID_JOBS,
  'merchant_paid',
  'shipped',
  'ready',
  'payment_link',
  'on_invoice_requested',
] as const satisfies readonly JobName[];

/** Returns the outbox jobs of the order's page in the back office, done or not. */
export async function findOrderPageJobs(queries: Db, orderId: string): Promise<readonly ShopJob[]> {
  const request = await findInvoiceRequest(queries, orderId);
  const keys = [...ORDER_PAGE_JOBS.map((job) => jobKey(job, orderId)), ...(request ? [invoiceJobKey(request)] : [])];
  return queries.selectFrom('outbox').selectAll().where('key', 'in', keys).orderBy('key', 'desc').execute();
}

/** Makes an outbox job due now. Returns `false` if it is done, does not exist or is due by `after`. */
export async function makeJobDue(
  queries: Db,
  key: string,
  turn: { readonly at: number; readonly after: number },
): Promise<boolean> {
  const result = await queries
    .updateTable('outbox')
    .set({ nextAt: turn.at })
    .where('key', '=', key)
    .where('doneAt', 'is', null)
    .where('nextAt', '>', turn.after)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
