import { type Backlog, jobBacklogs, orderBacklogs } from '@tianguis/payments/operations';
import type { OrderState } from '@tianguis/payments/rules';
import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { messageOf } from '../../admin/order/order-timeline.js';
import { adminOrderPath, adminPaths } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import type { Tone } from '../../web/tone.js';
import { refusedWebhooksOf, WEBHOOK_REFUSALS } from './refused-webhooks.js';
import { countNeverCompleted, countWebhooks, findWaitingJobs } from './repository.js';

const OLDEST_JOBS = 5;
const MAX_JOB_WAIT_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Attempts without an answer of the gateway are counted over this time. */
const NEVER_COMPLETED_MS = 30 * DAY_MS;
/** Order states in which a payment is open or unclear. `created` is excluded, because no payment has begun. */
const UNSETTLED: readonly OrderState[] = ['pending', 'outcome_unknown', 'review'];
/** Upper limit of counts, because counting costs time. Higher values are shown as "many". */
const MAX_COUNT = 1_000;
/** Webhooks with a wrong credential in 24 h that are no problem. Each run of `npm run doctor` and some scanners send one. */
const MAX_UNAUTHENTIC = 5;

/** Builds the cards of payments, outbox jobs and webhook events. */
export async function healthCards(context: RequestContext): Promise<readonly HealthCard[]> {
  return [
    ...(await neverCompletedHealth(context)),
    await unsettledHealth(context),
    await jobsHealth(context),
    await webhooksHealth(context),
  ];
}

/** Absent without such attempts. */
async function neverCompletedHealth(context: RequestContext): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  const limits = { since: checkout.clock.now() - NEVER_COMPLETED_MS, limit: MAX_COUNT };
  const count = await countNeverCompleted(checkout.db.queries, limits);
  if (count === 0) return [];
  const lines = [t('health.neverCompletedHint')];
  return [
    {
      title: t('health.neverCompleted'),
      figure: figureOf(context, count, MAX_COUNT),
      tone: 'waiting',
      lines,
      links: [],
    },
  ];
}

async function unsettledHealth(context: RequestContext): Promise<HealthCard> {
  const { t, checkout } = context;
  const unsettled = totalOf(await orderBacklogs(checkout.db.queries, UNSETTLED, MAX_COUNT), MAX_COUNT);
  return {
    title: t('health.unsettled'),
    figure: figureOf(context, unsettled.count, MAX_COUNT),
    tone: unsettled.count === 0 ? 'good' : 'waiting',
    lines: [oldestOf(context, unsettled), t('health.unsettledHint')],
    links: UNSETTLED.map((state) => ({
      label: t(`admin.states.${state}`),
      href: `${adminPaths.orders}?state=${state}`,
    })),
  };
}

/** Returns the sum of backlogs, up to `limit`. */
function totalOf(backlogs: ReadonlyMap<string, Backlog>, limit: number): Backlog {
  const each = [...backlogs.values()];
  const count = each.reduce((total, backlog) => total + backlog.count, 0);
  const oldest = each.flatMap(({ oldestAt }) => oldestAt ?? []);
  return { count: Math.min(count, limit), oldestAt: oldest.length === 0 ? null : Math.min(...oldest) };
}

async function jobsHealth(context: RequestContext): Promise<HealthCard> {
  const { t, checkout } = context;
  const jobs = totalOf(await jobBacklogs(checkout.db.queries, MAX_COUNT), MAX_COUNT);
  const oldest = await findWaitingJobs(checkout.db.queries, OLDEST_JOBS);
  return {
    title: t('health.waitingJobs'),
    figure: figureOf(context, jobs.count, MAX_COUNT),
    tone: jobs.count === 0 ? 'good' : toneOfJobs(context, jobs),
    lines: [oldestOf(context, jobs), t('health.waitingJobsHint')],
    links: oldest.map(({ number, job }) => ({
      label: `${number}: ${messageOf(context, `jobs.${job}`) ?? job}`,
      href: `${adminOrderPath({ number })}#jobs`,
    })),
  };
}

/** A job that waits longer failed several times, or no worker runs. */
function toneOfJobs({ checkout }: RequestContext, { oldestAt }: Backlog): Tone {
  return checkout.clock.now() - (oldestAt ?? 0) > MAX_JOB_WAIT_MS ? 'bad' : 'waiting';
}

async function webhooksHealth(context: RequestContext): Promise<HealthCard> {
  const { t, checkout } = context;
  const refusedWebhooks = refusedWebhooksOf(checkout);
  const now = checkout.clock.now();
  const limits = { since: now - DAY_MS, limit: MAX_COUNT };
  const { stored, waiting, unmatched, failed, newestAt } = await countWebhooks(checkout.db.queries, limits);
  const refused = refusedWebhooks.countLastDay();
  const refusals = WEBHOOK_REFUSALS.filter((reason) => refused[reason] > 0);
  const isProblem = (reason: (typeof refusals)[number]) =>
    reason !== 'not_authentic' || refused[reason] > MAX_UNAUTHENTIC;
  const hasProblems = refusals.some(isProblem) || unmatched > 0 || failed > 0;
  const toneWithoutProblems = waiting > 0 || refusals.length > 0 ? 'waiting' : 'good';
  return {
    title: t('health.webhooks'),
    figure: String(stored),
    tone: hasProblems ? 'bad' : toneWithoutProblems,
    lines: [
      newestAt === null
        ? t('health.noWebhook')
        : t('health.lastWebhook', { time: context.duration((now - newestAt) / 1000) }),
      t('health.waiting', { count: figureOf(context, waiting, MAX_COUNT) }),
      t('health.unmatched', { count: unmatched }),
      t('health.failed', { count: failed }),
      ...refusals.map((reason) => t(`health.refused.${reason}`, { count: refused[reason] })),
      ...(refusals.length === 0 ? [t('health.noneRefused')] : []),
      t('health.refusedSince', {
        at: context.shortMoment(Math.max(refusedWebhooks.since, now - DAY_MS)),
      }),
    ],
    links: [],
  };
}

function oldestOf({ t, duration, checkout }: RequestContext, { oldestAt }: Backlog): string {
  if (oldestAt === null) return t('health.none');
  return t('health.oldest', { time: duration((checkout.clock.now() - oldestAt) / 1000) });
}
