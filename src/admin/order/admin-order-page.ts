import { type Attempt, payingAttemptOf } from '@tianguis/payments/rules';
import { discountRow } from '../../locales/discount-row.js';
import { promisedTime } from '../../locales/frozen-shipping.js';
import type { I18n } from '../../locales/i18n.js';
import type { WordOf } from '../../locales/message-keys.js';
import { orderFacts } from '../../locales/order-facts.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { withTotals } from '../../web/order/order-lines.js';
import type { AdminAccess } from '../../web/request-context.js';
import { mayReadSales } from '../permissions.js';
import { customerCard } from './customer-card.js';
import { factList, type OrderRecord } from './order-record.js';
import { orderRow } from './order-row.js';
import { messageOf, type OrderEvents, orderTimeline, stateReason } from './order-timeline.js';
import { attemptView, needsDecision, reviewSection } from './review-section.js';

/**
 * Results of actions, by their messages: `results` of actions that did what the user wanted, `refusals` of the others. The
 * redirect carries the word in its query string, never a text.
 */
export type ActionResult = WordOf<'results'> | WordOf<'refusals'>;

/** Events of attempts, lookups and jobs. The state of the order and the actions of people are separate events. */
const TECHNICAL_EVENTS =
  /^(?:attempt_|lookup_answered|job_done|job_not_needed|other_environment|payment_found|never_completed)/;

/** Builds the model of the order page, with the actions that the state of the order allows. */
export function adminOrderPage(i18n: I18n, record: OrderRecord, admin: AdminAccess, result: string) {
  const { order, events, refused } = record;
  const readsSales = mayReadSales(admin);
  const review = readsSales ? reviewSection(i18n, record) : undefined;
  const isTechnical = ({ kind }: OrderEvents[number]) => TECHNICAL_EVENTS.test(kind);
  return {
    ...orderRow(i18n, order, record.refunded),
    result: resultText(i18n, record, result),
    isDone: messageOf(i18n, `results.${result}`) !== undefined,
    /** Absent without `mayReadSales`, as payments and the prices of lines. */
    total: readsSales ? i18n.money(order.total) : undefined,
    errors: refused?.errors ?? [],
    stateReason: stateReason(i18n, record),
    facts: factsOf(i18n, record),
    customer: customerCard(order),
    // The customer card has the phone.
    address: orderFacts(i18n, { ...order, phone: '' }, 'merchant').address.lines,
    lines: withTotals(record.lines).map(({ name, quantity, lineTotal, isFee, ...line }) => ({
      name,
      quantity,
      isFee,
      ...(readsSales && { amount: i18n.money(lineTotal), tax: lineTax(i18n, { name, quantity, ...line }) }),
    })),
    discount: readsSales ? discountRow(i18n, order.discountCode, record.lines) : undefined,
    tax: readsSales ? i18n.tax(record.lines) : undefined,
    attempts: readsSales
      ? payingFirst(record)
          .filter((attempt) => !review || !needsDecision(attempt))
          .map((each) => attemptView(i18n, each, events))
      : [],
    events: orderTimeline(
      i18n,
      events.filter((event) => !isTechnical(event)),
      readsSales,
    ),
    technicalEvents: readsSales ? orderTimeline(i18n, events.filter(isTechnical)) : [],
    /** Version for optimistic locking. A form with another version is refused. */
    version: String(order.version),
    review,
  };
}

/** The result of an erasure has the counts of its last event. */
function resultText(i18n: I18n, { events }: OrderRecord, result: string): string {
  const text = messageOf(i18n, `results.${result}`) ?? messageOf(i18n, `refusals.${result}`);
  if (text === undefined) return '';
  const requested = events.findLast(({ kind }) => kind === 'erasure_requested');
  const counts = result === 'erased' && requested ? orderTimeline(i18n, [requested]) : [];
  return [text, ...counts.flatMap(({ texts }) => texts)].join(' ');
}

/** The attempt that paid the order, then the newest. */
function payingFirst({ order, attempts }: OrderRecord): readonly Attempt[] {
  const paying = payingAttemptOf(order, attempts);
  const others = attempts.filter((attempt) => attempt !== paying).reverse();
  return paying ? [paying, ...others] : others;
}

function lineTax({ t, tax }: I18n, line: OrderLine): string {
  const { taxRate: rate } = line;
  if (rate === 'exempt') return t('tax.exemptLine');
  const amount = tax([line]) ?? '';
  return t(amount ? 'tax.at' : 'tax.none', { rate, amount });
}

function factsOf(i18n: I18n, { order }: OrderRecord) {
  const { t, moment } = i18n;
  const { createdAt, paidAt, confirmedAt } = order;
  const { shipping, others } = orderFacts(i18n, order, 'merchant');
  const time = promisedTime({ t }, order);
  const paid = paidAt === null ? '' : moment(paidAt);
  const confirmed = confirmedAt === null ? '' : moment(confirmedAt);
  // A payment is usually confirmed within the same minute.
  const times = { placed: moment(createdAt), paid, confirmed: confirmed === paid ? '' : confirmed };
  return [
    ...factList(times, (name) => t(`admin.facts.${name}`)),
    { label: t('admin.facts.shipping'), value: [...shipping.lines, ...(time ? [time] : [])].join(' · ') },
    ...others.map(({ label, lines }) => ({ label, value: lines.join(' · ') })),
  ];
}
