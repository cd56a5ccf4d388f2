/** The review section of the order page: what happened, what is known, and the decisions with their effects. */

import type { Attempt } from '@tianguis/payments/rules';
import {
  type AdminDecision,
  DECISIONS,
  holdsCardNumber,
  needsReview,
  openDecisions,
  UNPAID_ENDS,
} from '@tianguis/payments/rules';
import type { Order } from '../db/orders.js';
import type { I18n } from '../locales/i18n.js';
import { outsideMethodOf } from '../shop/rules/outside-method.js';
import { errorList } from '../web/form.js';
import { type Fields, readText } from '../web/form-body.js';
import { adminOrderPath } from '../web/paths.js';
import { factList, type OrderRecord, typedField } from './order-record.js';
import { differingPayment, type OrderEvents } from './order-timeline.js';

const MAX_NOTE_LENGTH = 500;
/** Format of gateway ids. Other input is refused without a call. */
export const GATEWAY_ID = /^[\w.:-]{1,128}$/;

/** Reads the posted decision. Without a decision there is an error. */
export function readDecision({ t }: I18n, fields: Fields) {
  const note = readText(fields['decision_note']).replaceAll('\r\n', '\n').trim();
  const gatewayId = readText(fields['gateway_id']).trim();
  const decision = DECISIONS.find((name) => name === fields['decision']);
  const noteProblem = (note === '' || note.length > MAX_NOTE_LENGTH) && t('admin.review.problems.decision_note');
  return {
    decision,
    typed: { decision: decision ?? '', gateway_id: gatewayId, decision_note: note },
    errors: errorList({
      decision: !decision && t('admin.review.problems.decision'),
      gateway_id: gatewayId !== '' && !GATEWAY_ID.test(gatewayId) && t('admin.review.problems.gateway_id'),
      decision_note: holdsCardNumber(note) ? t('form.cardData') : noteProblem,
    }),
  };
}

/** Builds the review section. Absent if the order needs no review. */
export function reviewSection(i18n: I18n, record: OrderRecord) {
  const { t } = i18n;
  const { order, attempts, events, otherPaidOrder, isRefundable, refused } = record;
  if (!needsReview(order)) return undefined;
  const choices = openDecisions(order, isRefundable);
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
    gatewayId: choices.includes('confirm') && asksGatewayId ? typedField(refused, 'gateway_id') : undefined,
    note: typedField(refused, 'decision_note'),
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
