import { mayCancel, mayCorrectAddress, mayResend } from '../checkout/order-actions.js';
import { JOB_LEASE_MS } from '../checkout/process-outbox.js';
import type { OutboxJob } from '../db/outbox.js';
import type { OrderLine } from '../domain/cart.js';
import { ADDRESS_FIELD_NAMES, CONTACT_FIELDS, PERSON_FIELD_NAMES } from '../domain/contact.js';
import { addressLines } from '../locales/address.js';
import { esMx } from '../locales/es-mx.js';
import type { I18n } from '../locales/i18n.js';
import { contactFields } from '../web/contact-fields.js';
import { withTotals } from '../web/order-page.js';
import { cancelForm } from './cancel-form.js';
import { factList, type OrderRecord, typedField } from './order-record.js';
import { orderRow } from './order-row.js';
import { orderTimeline, stateReason } from './order-timeline.js';
import { attemptView, needsDecision, reviewSection } from './review-section.js';

/** Results of actions, by their messages. The redirect carries the code in its query string, never a text. */
export type ActionResult = keyof typeof esMx.admin.actionResults;

/** Builds the model of the order page, with the actions that the state of the order allows. */
export function adminOrderPage(i18n: I18n, record: OrderRecord, result: string) {
  const { t } = i18n;
  const { order, attempts, events, refused } = record;
  const review = reviewSection(i18n, record);
  return {
    ...orderRow(i18n, order, record.refunded),
    result: resultText(i18n, record, result),
    errors: refused?.errors ?? [],
    stateReason: stateReason(i18n, order, events),
    facts: factsOf(i18n, record),
    address: addressLines(t, order),
    formerAddresses: record.formerAddresses.map(({ replacedAt, by, address }) => ({
      replaced: t('admin.addressReplaced', { at: i18n.shortMoment(replacedAt), by }),
      lines: addressLines(t, { ...order, ...address }),
    })),
    correction: mayCorrectAddress(order, record.fulfillment) ? addressFields(i18n, record) : [],
    lines: withTotals(record.lines).map((line) => ({ ...line, tax: lineTax(i18n, line) })),
    tax: i18n.tax(record.lines),
    attempts: attempts
      .filter((attempt) => !review || !needsDecision(attempt))
      .map((attempt) => attemptView(i18n, attempt, events)),
    jobs: record.jobs.map((job) => jobOf(i18n, job, record.now)),
    events: orderTimeline(i18n, events),
    /** Version for optimistic locking. A form with another version is refused. */
    version: String(order.version),
    actions: { resend: mayResend(order), cancel: mayCancel(order) ? cancelForm(i18n, refused) : undefined },
    review,
  };
}

/** The result of an erasure has the counts of its last event. */
function resultText(i18n: I18n, { events }: OrderRecord, result: string): string {
  if (!Object.hasOwn(esMx.admin.actionResults, result)) return '';
  const requested = events.findLast(({ kind }) => kind === 'erasure_requested');
  const counts = result === 'erased' && requested ? orderTimeline(i18n, [requested]) : [];
  const text = i18n.t(`admin.actionResults.${result as ActionResult}`);
  return [text, ...counts.flatMap(({ texts }) => texts)].join(' ');
}

function lineTax({ t, tax }: I18n, line: OrderLine): string {
  const { taxRate: rate } = line;
  if (rate === 'exempt') return t('tax.exemptLine');
  const amount = tax([line]) ?? '';
  return t(amount ? 'tax.at' : 'tax.none', { rate, amount });
}

function factsOf({ t, moment }: I18n, { order }: OrderRecord) {
  const { createdAt, paidAt, confirmedAt, shippingOption } = order;
  const paid = paidAt === null ? '' : moment(paidAt);
  const confirmed = confirmedAt === null ? '' : moment(confirmedAt);
  // A payment is usually confirmed within the same minute.
  const times = { placed: moment(createdAt), paid, confirmed: confirmed === paid ? '' : confirmed };
  return [
    ...factList(times, (name) => t(`admin.facts.${name}`)),
    ...PERSON_FIELD_NAMES.map((name) => ({
      label: t(`fields.${name}.label`),
      value: order[CONTACT_FIELDS[name].column],
    })).filter(({ value }) => value !== ''),
    { label: t('admin.facts.shipping'), value: t(`shipping.${shippingOption}.label`) },
  ];
}

function addressFields(i18n: I18n, { order, refused }: OrderRecord) {
  const stored = ADDRESS_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]);
  const values = { ...Object.fromEntries(stored), ...refused?.typed };
  return contactFields(i18n, { values, problems: {} }, ADDRESS_FIELD_NAMES).map((field) => ({
    ...field,
    error: typedField(refused, field.name).error,
  }));
}

function jobOf({ t }: I18n, { job, doneAt, lastError, tries, nextAt }: OutboxJob, now: number) {
  const mayRetry = doneAt === null && nextAt > now + JOB_LEASE_MS;
  return { job, name: t(`admin.jobs.${job}`), doneAt, lastError, tries, nextAt, mayRetry };
}
