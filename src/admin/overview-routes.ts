import type { Response } from 'express';
import { countWebhooks, findWaitingJobs, jobBacklog, orderBacklog } from '../db/backlogs.js';
import { findOrdersInReview } from '../db/orders.js';
import type { WebContext } from '../web/context.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { adminOverviewPage, MAX_COUNT, type Overview, UNSETTLED } from './admin-overview-page.js';
import type { AdminRouter } from './guard-routes.js';
import { salesWindow } from './sales-window.js';

const MAX_ROWS = 50;
const OLDEST_JOBS = 5;
const DAY_MS = 24 * 3_600_000;

/** Adds the overview page `GET /admin`. */
export function addOverviewRoutes(app: AdminRouter, web: WebContext): void {
  app.get('/admin', (_req, res) => sendOverview(web, res));
}

async function sendOverview(web: WebContext, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const page = adminOverviewPage(i18n, await readOverview(web));
  await render(web, res, 'admin-overview', { title: i18n.t('admin.title'), page, path: '/admin' });
}

async function readOverview({ checkout, refusedWebhooks }: WebContext): Promise<Overview> {
  const { queries } = checkout.db;
  const now = checkout.clock.now();
  const most = MAX_COUNT;
  const orders = await findOrdersInReview(queries, MAX_ROWS + 1);
  return {
    now,
    inReview: { orders: orders.slice(0, MAX_ROWS), more: orders.length > MAX_ROWS },
    unsettled: await orderBacklog(queries, UNSETTLED, most),
    jobs: await jobBacklog(queries, most),
    oldestJobs: await findWaitingJobs(queries, OLDEST_JOBS),
    webhooks: await countWebhooks(queries, { since: now - DAY_MS, most }),
    refused: refusedWebhooks,
    sales: await salesWindow(checkout),
  };
}
