import { DROPPED } from '@tianguis/payments/back-office';
import { JOB_LEASE_MS } from '@tianguis/payments/operations';
import type { Request, Response } from 'express';
import { answer, orderOf } from '../../admin/order/admin-order.js';
import type { OrderRecord } from '../../admin/order/order-record.js';
import { messageOf } from '../../admin/order/order-timeline.js';
import { adminOf } from '../../admin/permissions.js';
import type { I18n } from '../../locales/i18n.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { postedText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findJobs, type ShopJob } from './repository.js';
import { retryJob } from './retry-job.js';

/** Retries an outbox job of an order. */
export async function repeatJob(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const { checkout, orderJobKeys } = contextOf(res);
  const jobs = await findJobs(checkout.db.queries, await orderJobKeys(checkout.db.queries, order.id));
  const job = jobs.find((each) => each.job === postedText(req, 'job'));
  if (!job) throw new ShopError('bad_request');
  answer(res, order, await retryJob(checkout, order, job, adminOf(res).name));
}

/** Builds the list of an order's jobs. */
export async function jobList(context: RequestContext, { order, now }: OrderRecord) {
  const { queries } = context.checkout.db;
  const jobs = await findJobs(queries, await context.orderJobKeys(queries, order.id));
  return { href: adminOrderPath(order), jobs: jobs.map((job) => jobOf(context, job, now)) };
}

function jobOf(i18n: I18n, { job, doneAt, lastError, tries, nextAt }: ShopJob, now: number) {
  const mayRetry = doneAt === null && nextAt > now + JOB_LEASE_MS;
  const isDropped = doneAt !== null && lastError === DROPPED;
  return { job, name: messageOf(i18n, `jobs.${job}`) ?? job, doneAt, lastError, tries, nextAt, mayRetry, isDropped };
}
