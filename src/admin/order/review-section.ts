/** The review section of the order page: what happened, what is known, and the decisions with their effects. */

import type { Attempt } from '@tianguis/payments/rules';
import { type AdminDecision, DECISIONS, needsReview, openDecisions, UNPAID_ENDS } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import { outsideMethodOf } from '../../shop/rules/outside-method.js';
import type { Order } from '../../tables/orders.js';
import { choice } from '../../web/fields.js';
import type { FormFields } from '../../web/form.js';
import { fieldModels } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { factList, type OrderRecord } from './order-record.js';
import { differingPayment, type OrderEvents } from './order-timeline.js';

const MAX_NOTE_LENGTH = 500;
/** Format of gateway ids. Other input is refused without a call. */
export const GATEWAY_ID = /^[\w.:-]{1,128}$/;

export const DECISION_FIELDS = {
  decision: choice(DECISIONS, (decision) => `admin.decisions.${decision}`, {
    kind: 'radios',
    label: 'admin.decide',
    problem: 'admin.review.problems.decision',
  }),
  gateway_id: {
    label: 'admin.gatewayId',
    autocapitalize: 'none',
    parse: (typed) => (typed === '' || GATEWAY_ID.test(typed) ? typed : undefined),
    problem: 'admin.review.problems.gateway_id',
  },
  decision_note: {
    kind: 'multiline',
    rows: 3,
    isRequired: true,
    label: 'admin.note',
    hint: 'admin.noteHint',
    parse(typed) {
      const note = typed.replaceAll('\r\n', '\n');
      return note !== '' && note.length <= MAX_NOTE_LENGTH ? note : undefined;
    },
    problem: 'admin.review.problems.decision_note',
  },
} as const satisfies FormFields;

/** Builds the review section. Absent if the order needs no review. */
export function reviewSection(i18n: I18n, record: OrderRecord) {
  const { t } = i18n;
  const { order, attempts, events, otherPaidOrder, isRefundable, refused } = record;
  if (!needsReview(order)) return undefined;
  const choices = openDecisions(order, isRefundable);
  const { gateway_id, decision_note } = DECISION_FIELDS;
  const asksGatewayId = refused?.typed['gateway_id'] || attempts.some(({ gatewayId }) => gatewayId === null);
  return {
    what: t(`admin.review.what.${whyOf(record)}`),
    attempts: attempts.filter(needsDecision).map((attempt) => attemptView(i18n, attempt, events)),
    otherPaidOrder: otherPaidOrder && {
      label: otherPaidOrder,
      href: adminOrderPath({ number: otherPaidOrder }),
    },
    choices: choices.map((value) => ({
      value,
      label: t(`admin.decisions.${value}`),
      customer: t(`admin.review.effects.${effectsOf(order, value)}.customer`),
      money: t(`admin.review.effects.${effectsOf(order, value)}.money`),
      checked: refused?.typed['decision'] === value,
    })),
    fields: fieldModels(
      t,
      choices.includes('confirm') && asksGatewayId ? { gateway_id, decision_note } : { decision_note },
      refused,
    ),
  };
}

/** Returns whether the payment of an attempt in review may exist. */
export function needsDecision({ state }: Attempt): boolean {
  return state !== 'refunded' && !UNPAID_ENDS.includes(state);
}

/** The effects of a decision depend on whether the order is paid. */
function whyOf({ order: { reviewReason }, refunded }: OrderRecord) {
  if (reviewReason === 'second_payment' && refunded === 'reversed') return 'after_reversal';
  return reviewReason ?? 'outcome_unknown';
}

function effectsOf({ state, reviewReason }: Order, decision: AdminDecision) {
  if (state !== 'paid' || decision === 'confirm' || decision === 'stock_arrived' || decision === 'apply_again')
    return decision;
  if (decision === 'refund' && (reviewReason === 'oversold' || reviewReason === 'host_failed'))
    return 'refund_oversold';
  return `${decision}_paid` as const;
}

/** Builds the model of an attempt with its amounts, ids and times. */
export function attemptView(i18n: I18n, attempt: Attempt, events: OrderEvents) {
  const { t, money, shortMoment } = i18n;
  const { state, amount, confirmedAmount, gatewayStatus, reference, createdAt, checkedAt } = attempt;
  const facts = {
    state: t(`admin.attempts.${state}`),
    expected: money(amount),
    paid: confirmedAmount === null ? differingPayment(i18n, events, attempt) : money(confirmedAmount),
    started: shortMoment(createdAt),
    checked: checkedAt === 0 ? '—' : shortMoment(checkedAt),
  };
  if (attempt.flow === 'outside') return outsideAttempt(i18n, attempt);
  const words = { reference, gatewayStatus: gatewayStatus ?? '—' };
  return {
    title: attemptTitle(i18n, attempt),
    facts: factList(facts, (name) => t(`admin.attemptFacts.${name}`)),
    /** Folded: the words and ids of the gateway. */
    gatewayData: [...factList(words, (name) => t(`admin.attemptFacts.${name}`)), ...gatewayFacts(i18n, attempt)],
  };
}

/** The gateway knows nothing of it. */
function outsideAttempt(i18n: I18n, attempt: Attempt) {
  const { t, money, shortMoment } = i18n;
  const { state, amount, method, note, createdAt } = attempt;
  const facts = {
    state: t(`admin.attempts.${state}`),
    paid: money(amount),
    method: t(`outsideMethods.${outsideMethodOf(method)}`),
    recorded: shortMoment(createdAt),
    note: note ?? '',
  };
  return {
    title: attemptTitle(i18n, attempt),
    facts: factList(facts, (name) => t(`admin.attemptFacts.${name}`)),
    gatewayData: [],
  };
}

/** Returns the ids with which the gateway knows an attempt. Its dashboard lists hosted payments by payment number. */
export function gatewayFacts({ t }: I18n, attempt: Attempt) {
  const { flow, gatewayId, paymentId, transactionId, provider } = attempt;
  const isHosted = flow === 'hosted';
  const values = {
    sessionId: isHosted ? (gatewayId ?? '—') : '',
    gatewayId: isHosted ? '' : (gatewayId ?? '—'),
    dashboardId: isHosted ? (paymentId ?? '') : '',
    paymentId: isHosted ? '' : (paymentId ?? ''),
    transactionId: transactionId ?? '',
    provider: provider ?? '',
  };
  return factList(values, (name) => t(`admin.gatewayFacts.${name}`));
}

export function attemptTitle({ t }: I18n, { ordinal, flow }: Attempt): string {
  return t('admin.attempt', { ordinal, flow: t(`admin.flows.${flow}`) });
}
