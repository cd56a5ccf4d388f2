import type { IRouter, Response } from 'express';
import { effectBacklog, findWaitingEffects, messageFigures, orderBacklog } from '../db/desk-figures.js';
import { findOrdersForPerson } from '../db/orders.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import type { WebServices } from '../web/services.js';
import { COUNTED_AT_MOST, deskOverviewPage, type Overview, UNSETTLED } from './overview-page.js';
import { salesWindow } from './sales-window.js';

const MOST_ROWS = 50;
const OLDEST_EFFECTS = 5;
const DAY_MS = 24 * 3_600_000;

/** Adds the overview page `GET /admin`. */
export function addOverviewRoutes(app: IRouter, web: WebServices): void {
  app.get('/admin', (_req, res) => sendOverview(web, res));
}

async function sendOverview(web: WebServices, res: Response): Promise<void> {
  const reader = contextOf(res);
  const page = deskOverviewPage(reader, await readOverview(web));
  await render(web, res, 'desk-overview', { title: reader.t('desk.title'), page, path: '/admin' });
}

async function readOverview({ checkout, refusedWebhooks }: WebServices): Promise<Overview> {
  const { queries } = checkout.db;
  const now = checkout.clock.now();
  const most = COUNTED_AT_MOST;
  const orders = await findOrdersForPerson(queries, MOST_ROWS + 1);
  return {
    now,
    forPerson: { orders: orders.slice(0, MOST_ROWS), more: orders.length > MOST_ROWS },
    unsettled: await orderBacklog(queries, UNSETTLED, most),
    effects: await effectBacklog(queries, most),
    oldestEffects: await findWaitingEffects(queries, OLDEST_EFFECTS),
    messages: await messageFigures(queries, { since: now - DAY_MS, most }),
    refused: refusedWebhooks,
    sales: await salesWindow(checkout),
  };
}
