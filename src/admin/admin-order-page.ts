import { mayCorrectAddress } from '../checkout/correct-address.js';
import { mayCancel, mayResend } from '../checkout/order-actions.js';
import { JOB_LEASE_MS } from '../checkout/process-outbox.js';
import type { RefundOption } from '../checkout/refund-payment.js';
import { type Attempt, payingAttemptOf } from '../db/attempts.js';
import type { Fulfillment } from '../db/fulfillments.js';
import type { InvoiceRequest } from '../db/invoice-requests.js';
import type { Order } from '../db/orders.js';
import type { OutboxJob } from '../db/outbox.js';
import type { Refund } from '../db/refunds.js';
import type { OrderLine } from '../domain/cart.js';
import { ADDRESS_FIELD_NAMES, CONTACT_FIELDS, PERSON_FIELD_NAMES } from '../domain/contact.js';
import { REFUND_STATES } from '../domain/refund.js';
import { addressLines } from '../locales/address.js';
import { formatMoment, formatTax } from '../locales/format.js';
import { contactFields, fieldErrors, type TypedContact } from '../web/pages/contact-fields.js';
import { orderLines } from '../web/pages/order-page.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { FieldErrorView } from '../web/view-models.js';
import type { AdminOrderPage } from './admin-view-models.js';
import { formatShortMoment } from './format-time.js';
import { fulfillmentSection, type RefusedShipment } from './fulfillment-section.js';
import { adminInvoice } from './invoice-section.js';
import { orderRow } from './order-rows.js';
import { type OrderEvents, orderTimeline, stateReason } from './order-timeline.js';
import { type RefusedCheck, refundErrors, refundsSection } from './refund-section.js';
import {
  attemptView,
  decisionErrors,
  needsDecision,
  type RefusedDecision,
  reviewSection,
} from './review-section.js';

/** Results of actions. The redirect carries the code in its query string, never a text. */
export const ACTION_RESULTS = [
  'done',
  'not_confirmed',
  'unreachable',
  'changed',
  'not_open',
  'out_of_stock',
  'address_corrected',
  'address_changed',
  'address_not_open',
  'checked',
  'rescheduled',
  'not_waiting',
  'fulfilled',
  'fulfillment_changed',
  'not_fulfillable',
  'no_slip',
  'receipt_queued',
  'receipt_waiting',
  'no_receipt',
  'cancelled',
  'answer_awaited',
  'not_cancellable',
  'erased',
  'erased_before',
  'refund_not_possible',
  'refund_unchanged',
  'refund_unreachable',
  'refund_changed',
  'refund_not_open',
  ...REFUND_STATES.map((state) => `refund_${state}` as const),
] as const;
export type ActionResult = (typeof ACTION_RESULTS)[number];

/** Forms that were refused, with the posted fields and their problems. */
export interface RefusedForms {
  readonly shipment?: RefusedShipment;
  readonly address?: TypedContact;
  readonly decision?: RefusedDecision;
  /** The order changed after the page of the form was rendered. */
  readonly isStale?: boolean;
  /** What was typed to confirm the erasure. */
  readonly confirmation?: string;
  readonly refundCheck?: RefusedCheck;
}

/** All stored data of an order. */
export interface OrderRecord {
  readonly order: Order;
  /** With product names in the first locale of the shop. */
  readonly lines: readonly OrderLine[];
  readonly attempts: readonly Attempt[];
  readonly jobs: readonly OutboxJob[];
  readonly events: OrderEvents;
  readonly fulfillment: Fulfillment | undefined;
  /** Number of the paid order for the same products. Read if this order is a second payment. */
  readonly paidElsewhere: string | undefined;
  readonly refunds: readonly Refund[];
  readonly invoice: InvoiceRequest | undefined;
  readonly refundOptions: readonly RefundOption[];
  readonly refused: RefusedForms;
  readonly now: number;
}

/** Builds the model of the order page, with the decisions that are open. */
export function adminOrderPage(
  i18n: I18n,
  record: OrderRecord,
  result: ActionResult | undefined,
): AdminOrderPage {
  const { t } = i18n;
  const { order, attempts, events, fulfillment, refunds, refused } = record;
  const { shipment, address: typed, decision } = refused;
  const payingAttempt = payingAttemptOf(order, attempts);
  const timeline = orderTimeline(i18n, events);
  const review = reviewSection(i18n, { ...record, refused: decision });
  const refundSection = refundsSection(i18n, { ...record, refusedCheck: refused.refundCheck });
  return {
    ...orderRow(i18n, order),
    ...(result && { result: resultText(i18n, result, timeline) }),
    stateReason: stateReason(i18n, order, events),
    facts: factsOf(i18n, order),
    address: addressLines(t, order),
    correction: mayCorrectAddress(order)
      ? contactFields(i18n, typed ?? storedAddress(order), ADDRESS_FIELD_NAMES)
      : [],
    errors: errorsOf(i18n, order, refused),
    actions: {
      resend: mayResend(order),
      cancel: mayCancel(order),
      erase: order.email !== '',
      ...(refused.confirmation !== undefined && { confirmation: refused.confirmation }),
    },
    lines: orderLines(i18n, record.lines),
    tax: formatTax(record.lines, i18n.locale),
    attempts: attempts
      .filter((attempt) => !review || !needsDecision(attempt))
      .map((attempt) => attemptView(i18n, attempt, events)),
    jobs: record.jobs.map((job) => jobOf(i18n, job, record.now)),
    events: timeline,
    version: String(order.version),
    ...(review && { review }),
    ...(fulfillment && {
      fulfillment: fulfillmentSection(i18n, {
        ...{ order, fulfillment, payingAttempt, refunds },
        refused: shipment,
      }),
    }),
    ...(record.invoice && { invoice: adminInvoice(i18n, record.invoice) }),
    ...(refundSection && { refunds: refundSection }),
  };
}

function errorsOf(i18n: I18n, { number }: Order, refused: RefusedForms): readonly FieldErrorView[] {
  const { address, decision, confirmation } = refused;
  const message = i18n.t('admin.actions.eraseProblem', { number });
  return [
    ...(address ? fieldErrors(i18n, address, ADDRESS_FIELD_NAMES) : []),
    ...decisionErrors(i18n, decision),
    ...refundErrors(i18n, refused.refundCheck),
    ...(confirmation === undefined ? [] : [{ field: 'confirmation', message }]),
  ];
}

/** The result of an erasure has the counts of its last event. */
function resultText({ t }: I18n, result: ActionResult, timeline: AdminOrderPage['events']): string {
  const requested = timeline.findLast(({ kind }) => kind === t('admin.events.erasure_requested'));
  const counts = result === 'erased' && requested ? requested.texts : [];
  return [t(`admin.actionResults.${result}`), ...counts].join(' ');
}

function factsOf({ locale, t }: I18n, order: Order): AdminOrderPage['facts'] {
  const paid =
    order.paidAt === null
      ? []
      : [{ label: t('admin.facts.paid'), value: formatMoment(order.paidAt, locale) }];
  return [
    { label: t('admin.facts.placed'), value: formatMoment(order.createdAt, locale) },
    ...paid,
    ...PERSON_FIELD_NAMES.map((name) => ({
      label: t(`fields.${name}.label`),
      value: order[CONTACT_FIELDS[name].column],
    })),
    { label: t('admin.facts.shipping'), value: t(`shipping.${order.shippingOption}.label`) },
  ];
}

function storedAddress(order: Order): TypedContact {
  const values = ADDRESS_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]);
  return { values: Object.fromEntries(values), problems: {} };
}

function jobOf({ t, locale }: I18n, job: OutboxJob, now: number): AdminOrderPage['jobs'][number] {
  const { doneAt, lastError, tries, nextAt } = job;
  const base = { job: job.job, name: t(`admin.jobs.${job.job}`) };
  const tried = t('admin.job.tries', { tries });
  if (doneAt !== null) {
    const at = formatShortMoment(doneAt, locale);
    const lines = [t('admin.job.doneAt', { at }), tried];
    return { ...base, state: t('admin.job.done'), tone: 'good', mayRetry: false, lines };
  }
  return {
    ...base,
    state: t(lastError === null ? 'admin.job.waiting' : 'admin.job.failing'),
    tone: lastError === null ? 'waiting' : 'bad',
    mayRetry: nextAt > now + JOB_LEASE_MS,
    lines: [
      tried,
      ...(lastError === null ? [] : [t('admin.job.error', { error: lastError })]),
      t('admin.job.next', { at: formatShortMoment(nextAt, locale) }),
    ],
  };
}
