import { type Backlog, countWebhooks, findWaitingJobs, jobBacklog, orderBacklog } from '../db/backlogs.js';
import { findOrdersInReview } from '../db/orders.js';
import { findOrdersWithOpenRefund } from '../db/refunds.js';
import type { OrderState } from '../domain/order.js';
import { WEBHOOK_REFUSALS } from '../web/refused-webhooks.js';
import { render } from '../web/render.js';
import { contextOf, type I18n, type RequestContext } from '../web/request-context.js';
import { formatDuration, formatShortMoment } from './format-time.js';
import { adminOrderPath, orderRow } from './order-rows.js';
import { ORDERS_PATH } from './orders-routes.js';
import type { AdminRouter } from './permissions.js';
import { salesPage, salesWindow } from './sales.js';

const MAX_ROWS = 50;
const OLDEST_JOBS = 5;
const DAY_MS = 24 * 3_600_000;
/** Order states in which a payment is open or unclear. `created` is excluded, because no payment has begun. */
const UNSETTLED: readonly OrderState[] = ['pending', 'outcome_unknown', 'review'];
/** Upper limit of counts, because counting costs time. Higher values are shown as "many". */
const MAX_COUNT = 1_000;

/** Adds the overview page `GET /admin`: orders that need review, health figures and sales. */
export function addOverviewRoutes(app: AdminRouter): void {
  app.get('/admin', async (_req, res) => {
    const i18n = contextOf(res);
    const overview = await readOverview(i18n);
    const page = {
      rows: overview.inReview.slice(0, MAX_ROWS).map((order) => orderRow(i18n, order)),
      moreHref: overview.inReview.length > MAX_ROWS ? `${ORDERS_PATH}?review=1` : undefined,
      health: [
        ...(overview.openRefunds.length > 0 ? [refundsHealth(i18n, overview)] : []),
        unsettledHealth(i18n, overview),
        jobsHealth(i18n, overview),
        webhooksHealth(i18n, overview),
      ],
      sales: salesPage(i18n, overview.sales),
    };
    await render(res, 'admin-overview', { title: i18n.t('admin.title'), page, path: '/admin' });
  });
}

type Overview = Awaited<ReturnType<typeof readOverview>>;

async function readOverview({ checkout, refusedWebhooks }: RequestContext) {
  const { queries } = checkout.db;
  const now = checkout.clock.now();
  return {
    now,
    /** One more than the page shows, so that more orders are detected. */
    inReview: await findOrdersInReview(queries, MAX_ROWS + 1),
    unsettled: await orderBacklog(queries, UNSETTLED, MAX_COUNT),
    jobs: await jobBacklog(queries, MAX_COUNT),
    oldestJobs: await findWaitingJobs(queries, OLDEST_JOBS),
    /** Numbers of orders. */
    openRefunds: await findOrdersWithOpenRefund(queries, MAX_ROWS),
    webhooks: await countWebhooks(queries, { since: now - DAY_MS, most: MAX_COUNT }),
    refused: refusedWebhooks,
    sales: await salesWindow(checkout),
  };
}

function refundsHealth(i18n: I18n, { openRefunds }: Overview) {
  const { t } = i18n;
  return {
    title: t('admin.health.refunds'),
    figure: figureOf(i18n, openRefunds.length, MAX_ROWS),
    tone: 'review',
    lines: [t('admin.health.refundsHint')],
    links: openRefunds.map((number) => ({ label: number, href: `${adminOrderPath({ number })}#refunds` })),
  };
}

function unsettledHealth(i18n: I18n, { unsettled, now }: Overview) {
  const { t } = i18n;
  return {
    title: t('admin.health.unsettled'),
    figure: figureOf(i18n, unsettled.count),
    tone: unsettled.count === 0 ? 'good' : 'waiting',
    lines: [oldestOf(i18n, unsettled, now), t('admin.health.unsettledHint')],
    links: UNSETTLED.map((state) => ({
      label: t(`admin.states.${state}`),
      href: `${ORDERS_PATH}?state=${state}`,
    })),
  };
}

function jobsHealth(i18n: I18n, { jobs, oldestJobs, now }: Overview) {
  const { t } = i18n;
  return {
    title: t('admin.health.jobs'),
    figure: figureOf(i18n, jobs.count),
    tone: jobs.count === 0 ? 'good' : 'waiting',
    lines: [oldestOf(i18n, jobs, now), t('admin.health.jobsHint')],
    links: oldestJobs.map(({ number, job }) => ({
      label: `${number}: ${t(`admin.jobs.${job}`)}`,
      href: `${adminOrderPath({ number })}#jobs`,
    })),
  };
}

function webhooksHealth(i18n: I18n, { webhooks, refused, now }: Overview) {
  const { locale, t } = i18n;
  const lately = refused.lately();
  const refusals = WEBHOOK_REFUSALS.filter((reason) => lately[reason] > 0);
  const hasProblems = refusals.length > 0 || webhooks.unmatched > 0 || webhooks.failed > 0;
  return {
    title: t('admin.health.webhooks'),
    figure: String(webhooks.stored),
    tone: hasProblems ? 'bad' : webhooks.waiting > 0 ? 'waiting' : 'good',
    lines: [
      webhooks.newestAt === null
        ? t('admin.health.noWebhook')
        : t('admin.health.lastWebhook', { time: formatDuration((now - webhooks.newestAt) / 1000, locale) }),
      t('admin.health.waiting', { count: figureOf(i18n, webhooks.waiting) }),
      t('admin.health.unmatched', { count: webhooks.unmatched }),
      t('admin.health.failed', { count: webhooks.failed }),
      ...refusals.map((reason) => t(`admin.health.refused.${reason}`, { count: lately[reason] })),
      ...(refusals.length === 0 ? [t('admin.health.noneRefused')] : []),
      t('admin.health.refusedSince', {
        at: formatShortMoment(Math.max(refused.since, now - DAY_MS), locale),
      }),
    ],
    links: [],
  };
}

function figureOf({ t }: I18n, count: number, max = MAX_COUNT): string {
  return count < max ? String(count) : t('admin.health.many', { max });
}

function oldestOf({ t, locale }: I18n, { oldestAt }: Backlog, now: number): string {
  if (oldestAt === null) return t('admin.health.none');
  return t('admin.health.oldest', { time: formatDuration((now - oldestAt) / 1000, locale) });
}
