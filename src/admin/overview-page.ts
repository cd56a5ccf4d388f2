import type { Backlog, MessageFigures, WaitingEffect } from '../db/desk-figures.js';
import type { Order } from '../db/orders.js';
import type { OrderState } from '../domain/order.js';
import type { Reader } from '../web/pages/shop-pages.js';
import { type RefusedWebhooks, WEBHOOK_REFUSALS } from '../web/refused-webhooks.js';
import { deskPath, rowOf } from './desk-rows.js';
import { formatDuration, formatShortMoment } from './desk-times.js';
import type { DeskOverviewPage } from './desk-view-models.js';
import { ORDERS_PATH } from './orders-page.js';
import { salesPage } from './sales-page.js';
import type { SalesWindow } from './sales-window.js';

/** Order states in which a payment is open or unclear. `created` is excluded, because no payment has begun. */
export const UNSETTLED: readonly OrderState[] = ['pending', 'outcome_unknown', 'review'];
/** Upper limit of counts, because counting costs time. Higher values are shown as "many". */
export const COUNTED_AT_MOST = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Data of the overview page. */
export interface Overview {
  readonly now: number;
  readonly forPerson: { readonly orders: readonly Order[]; readonly more: boolean };
  readonly unsettled: Backlog;
  readonly effects: Backlog;
  /** Oldest outbox jobs that are not done. */
  readonly oldestEffects: readonly WaitingEffect[];
  readonly messages: MessageFigures;
  readonly refused: RefusedWebhooks;
  readonly sales: SalesWindow;
}

type Health = DeskOverviewPage['health'][number];

/** Builds the model of the overview page: orders that need review, health figures and sales. */
export function deskOverviewPage(reader: Reader, overview: Overview): DeskOverviewPage {
  const { orders, more } = overview.forPerson;
  return {
    rows: orders.map((order) => rowOf(reader, order)),
    ...(more && { moreHref: `${ORDERS_PATH}?person=1` }),
    health: [
      unsettledHealth(reader, overview),
      effectsHealth(reader, overview),
      messagesHealth(reader, overview),
    ],
    sales: salesPage(reader, overview.sales),
  };
}

function unsettledHealth(reader: Reader, { unsettled, now }: Overview): Health {
  const { t } = reader;
  return {
    title: t('desk.health.unsettled'),
    figure: figureOf(reader, unsettled.count),
    tone: unsettled.count === 0 ? 'good' : 'waiting',
    lines: [oldestOf(reader, unsettled, now), t('desk.health.unsettledHint')],
    links: UNSETTLED.map((state) => ({
      label: t(`desk.states.${state}`),
      href: `${ORDERS_PATH}?state=${state}`,
    })),
  };
}

function effectsHealth(reader: Reader, { effects, oldestEffects, now }: Overview): Health {
  const { t } = reader;
  return {
    title: t('desk.health.effects'),
    figure: figureOf(reader, effects.count),
    tone: effects.count === 0 ? 'good' : 'waiting',
    lines: [oldestOf(reader, effects, now), t('desk.health.effectsHint')],
    links: oldestEffects.map(({ number, effect }) => ({
      label: `${number}: ${t(`desk.effects.${effect}`)}`,
      href: `${deskPath({ number })}#effects`,
    })),
  };
}

function messagesHealth(reader: Reader, { messages, refused, now }: Overview): Health {
  const { locale, t } = reader;
  const lately = refused.lately();
  const refusals = WEBHOOK_REFUSALS.filter((reason) => lately[reason] > 0);
  const troubled = refusals.length > 0 || messages.unmatched > 0 || messages.failed > 0;
  return {
    title: t('desk.health.messages'),
    figure: String(messages.kept),
    tone: troubled ? 'bad' : messages.waiting > 0 ? 'waiting' : 'good',
    lines: [
      messages.newestAt === null
        ? t('desk.health.noMessage')
        : t('desk.health.lastMessage', { time: formatDuration((now - messages.newestAt) / 1000, locale) }),
      t('desk.health.waiting', { count: figureOf(reader, messages.waiting) }),
      t('desk.health.unmatched', { count: messages.unmatched }),
      t('desk.health.failed', { count: messages.failed }),
      ...refusals.map((reason) => t(`desk.health.refused.${reason}`, { count: lately[reason] })),
      ...(refusals.length === 0 ? [t('desk.health.noneRefused')] : []),
      t('desk.health.refusedSince', { at: formatShortMoment(Math.max(refused.since, now - DAY_MS), locale) }),
    ],
    links: [],
  };
}

function figureOf({ t }: Reader, count: number): string {
  return count < COUNTED_AT_MOST ? String(count) : t('desk.health.many', { most: COUNTED_AT_MOST });
}

function oldestOf({ t, locale }: Reader, { oldestAt }: Backlog, now: number): string {
  if (oldestAt === null) return t('desk.health.none');
  return t('desk.health.oldest', { time: formatDuration((now - oldestAt) / 1000, locale) });
}
