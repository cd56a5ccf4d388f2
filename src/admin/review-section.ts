/** The review section of the order page: what happened, what is known, and the decisions with their effects. */
import { isRefundable, type RefundOption } from '../checkout/refund-payment.js';
import type { Attempt } from '../db/attempts.js';
import type { Order } from '../db/orders.js';
import { holdsCardNumber, maskCardNumbers } from '../domain/card-data.js';
import { DECISIONS, type MerchantDecision, needsReview, openDecisions } from '../domain/decision.js';
import { CURRENCY, toPesosText } from '../domain/money.js';
import { UNPAID_ENDS } from '../domain/order.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { FieldErrorView, FieldView } from '../web/view-models.js';
import type { AdminAttempt, AdminReview } from './admin-view-models.js';
import { formatShortMoment } from './format-time.js';
import { adminOrderPath } from './order-rows.js';
import { differingPayment, type OrderEvents } from './order-timeline.js';

const MAX_NOTE_LENGTH = 500;
/** Format of gateway ids. Other input is refused without a call. */
export const GATEWAY_ID = /^[\w.:-]{1,128}$/;
const FACTS = [
  ...(['state', 'expected', 'paid', 'gatewayStatus'] as const),
  ...(['reference', 'gatewayId', 'started', 'checked'] as const),
] as const;

const DECISION_FIELDS = ['decision', 'gateway_id', 'decision_note'] as const;
type DecisionField = (typeof DECISION_FIELDS)[number];
type Typed = Readonly<Record<DecisionField, string>>;

interface Decided {
  readonly decision: MerchantDecision;
  readonly note: string;
  /** Absent if none was entered. */
  readonly gatewayId: string | undefined;
}

/** A refused decision with its posted fields. */
export interface RefusedDecision {
  readonly typed: Typed;
  readonly problems: Readonly<Partial<Record<DecisionField, 'invalid' | 'cardData'>>>;
}

/** Parses the posted decision and returns it, or one problem per invalid field. */
export function readDecision(posted: Typed): Decided | RefusedDecision {
  const note = posted.decision_note.replaceAll('\r\n', '\n').trim();
  const typed = { ...posted, gateway_id: posted.gateway_id.trim(), decision_note: note };
  const decision = DECISIONS.find((name) => name === typed.decision);
  const problems: RefusedDecision['problems'] = {
    ...(!decision && { decision: 'invalid' }),
    ...(typed.gateway_id !== '' && !GATEWAY_ID.test(typed.gateway_id) && { gateway_id: 'invalid' }),
    ...((note === '' || note.length > MAX_NOTE_LENGTH) && { decision_note: 'invalid' }),
    ...(holdsCardNumber(note) && { decision_note: 'cardData' }),
  };
  if (!decision || Object.keys(problems).length > 0) return { typed, problems };
  return { decision, note, gatewayId: typed.gateway_id || undefined };
}

interface ReviewRecord {
  readonly order: Order;
  readonly attempts: readonly Attempt[];
  readonly events: OrderEvents;
  /** Number of the paid order for the same products. */
  readonly paidElsewhere: string | undefined;
  readonly refundOptions: readonly RefundOption[];
  readonly refused: RefusedDecision | undefined;
}

/** Builds the review section, or returns `undefined` if the order needs no review. */
export function reviewSection(i18n: I18n, record: ReviewRecord): AdminReview | undefined {
  const { t } = i18n;
  const { order, attempts, events, paidElsewhere, refundOptions, refused } = record;
  if (!needsReview(order)) return undefined;
  const field = (name: 'gateway_id' | 'decision_note'): FieldView => {
    const typed = refused?.typed[name] ?? '';
    const error = decisionErrors(i18n, refused).find(({ field }) => field === name);
    // Only the digits of a card number are removed.
    const value = holdsCardNumber(typed) ? maskCardNumbers(typed) : typed;
    return { value, ...(error && { error: error.message }) };
  };
  const choices = openDecisions(order, isRefundable(refundOptions));
  const asksGatewayId = refused?.typed.gateway_id || attempts.some(({ gatewayId }) => gatewayId === null);
  return {
    what: t(`admin.review.what.${order.reviewReason ?? 'outcome_unknown'}`),
    attempts: attempts.filter(needsDecision).map((attempt) => attemptView(i18n, attempt, events)),
    ...(paidElsewhere !== undefined && {
      paidElsewhere: { label: paidElsewhere, href: adminOrderPath({ number: paidElsewhere }) },
    }),
    choices: choices.map((value) => {
      const effects = effectsOf(order, value);
      return {
        value,
        label: t(`admin.decisions.${value}`),
        customer: t(`admin.review.effects.${effects}.customer`),
        money: t(`admin.review.effects.${effects}.money`),
        checked: refused?.typed.decision === value,
      };
    }),
    ...(choices.includes('confirm') && asksGatewayId && { gatewayId: field('gateway_id') }),
    note: field('decision_note'),
    maxNoteLength: MAX_NOTE_LENGTH,
  };
}

/** Returns the error messages of the decision form. Each links to its field. */
export function decisionErrors({ t }: I18n, refused: RefusedDecision | undefined): readonly FieldErrorView[] {
  return DECISION_FIELDS.filter((field) => refused?.problems[field]).map((field) => ({
    field,
    message: t(refused?.problems[field] === 'cardData' ? 'form.cardData' : `admin.review.problems.${field}`),
  }));
}

/** Returns whether the payment of an attempt in review may exist. */
export function needsDecision({ state }: Attempt): boolean {
  return state !== 'refunded' && !UNPAID_ENDS.includes(state);
}

/** The effects of a decision depend on whether the order is paid. */
function effectsOf({ state, reviewReason }: Order, decision: MerchantDecision) {
  if (state !== 'paid' || decision === 'confirm' || decision === 'stock_arrived') return decision;
  if (decision === 'refund' && reviewReason === 'oversold') return 'refund_oversold';
  return `${decision}_paid` as const;
}

/** Builds the model of an attempt with its amounts, ids and times. */
export function attemptView({ t, locale }: I18n, attempt: Attempt, events: OrderEvents): AdminAttempt {
  const { ordinal, flow, state, amount, gatewayStatus, reference, gatewayId, createdAt, checkedAt } = attempt;
  const expected = `${toPesosText(amount)} ${CURRENCY}`;
  const paid = state === 'paid' ? expected : differingPayment(events, ordinal);
  const facts = {
    state: t(`admin.attempts.${state}`),
    expected,
    paid: paid ?? '—',
    gatewayStatus: gatewayStatus ?? '—',
    reference,
    gatewayId: gatewayId ?? '—',
    started: formatShortMoment(createdAt, locale),
    checked: checkedAt === 0 ? '—' : formatShortMoment(checkedAt, locale),
  };
  return {
    title: t('admin.attempt', { ordinal, flow: t(`admin.flows.${flow}`) }),
    facts: FACTS.map((name) => ({ label: t(`admin.attemptFacts.${name}`), value: facts[name] })),
  };
}
