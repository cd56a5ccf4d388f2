/** The refund form: what is typed in the first step, and the amount that is typed again in the second. */
import {
  findRefundObjection,
  firstRefundTime,
  type Refund,
  type RefundObjection,
  type RefundOption,
  type RefundRequest,
} from '@tianguis/payments/back-office';
import {
  type Centavos,
  centavos,
  hasForeignSeparators,
  holdsCardNumber,
  REFUND_REASON_LIMIT,
  type RefundWay,
  readAmount,
  toPesosText,
} from '@tianguis/payments/rules';
import { factList, typedField } from '../../admin/order/order-record.js';
import { attemptTitle, gatewayFacts } from '../../admin/order/review-section.js';
import type { Config } from '../../config/config.js';
import type { I18n } from '../../locales/i18n.js';
import { dayOf, startOfDay } from '../../shop/rules/mexico-day.js';
import type { Order } from '../../tables/orders.js';
import { type Fields, readText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { refundFacts } from './refund-section.js';

const FIELDS = ['chosen_amount', 'refunded_on', 'reason', 'returns_stock', 'amount'] as const;
type Field = (typeof FIELDS)[number];

/** A payment that may be refunded now, and the way to refund it. */
export interface RefundForm {
  readonly order: Order;
  readonly option: RefundOption;
  readonly refunds: readonly Refund[];
  readonly way: RefundWay;
  /** What a return to stock adds: the pieces of products with a limited stock, with their names. */
  readonly pieces: readonly { readonly name: string; readonly quantity: number }[];
  readonly config: Pick<Config, 'partialRefunds' | 'refunds'>;
  readonly at: number;
}

export type RefundValues = Readonly<Record<Field | 'version', string>>;

export interface RefundProblem {
  /** `refund`: the problem is about the whole form. */
  readonly field: Field | 'refund';
  readonly problem: RefundObjection | 'changed' | 'cardData' | 'stock_missing' | 'typed';
}

/** Returns the values of an empty form: the whole amount, today. */
export function initialValues({ order, option, at }: RefundForm): RefundValues {
  return {
    version: String(order.version),
    chosen_amount: toPesosText(option.limit),
    refunded_on: dayOf(at),
    reason: '',
    returns_stock: '',
    amount: '',
  };
}

export function postedValues(fields: Fields): RefundValues {
  const values = ([...FIELDS, 'version'] as const).map((name) => [name, readText(fields[name]).trim()]);
  return Object.fromEntries(values) as RefundValues;
}

/** One line. Control characters are refused, because PostgreSQL cannot store NUL. */
const REASON = new RegExp(`^\\P{Cc}{1,${REFUND_REASON_LIMIT}}$`, 'u');

/** Returns the request, and one problem per invalid field. A request with problems must not be sent. */
export function readRefund(
  form: RefundForm,
  values: RefundValues,
  by: string,
): { readonly request: RefundRequest; readonly problems: readonly RefundProblem[] } {
  const { order, option, way } = form;
  const { reason, returns_stock: stock } = values;
  const request: RefundRequest = {
    orderId: order.id,
    attemptId: option.attempt.id,
    version: Number(values.version),
    amount: mayChooseAmount(form) ? (readAmount(values.chosen_amount) ?? centavos(0)) : option.limit,
    reason,
    returnsGoods: hasStockField(form) && stock === 'yes',
    way,
    refundedOn: values.refunded_on,
    by,
  };
  const objection = findRefundObjection(form, request);
  const problems: RefundProblem[] = [];
  if (request.version !== order.version) problems.push({ field: 'refund', problem: 'changed' });
  if (objection && objection !== 'reason')
    problems.push({ field: FIELD_OF[objection] ?? 'refund', problem: objection });
  if (objection === 'reason' || !REASON.test(reason)) problems.push({ field: 'reason', problem: 'reason' });
  if (holdsCardNumber(reason)) problems.push({ field: 'reason', problem: 'cardData' });
  if (hasStockField(form) && stock !== 'yes' && stock !== 'no')
    problems.push({ field: 'returns_stock', problem: 'stock_missing' });
  return { request, problems };
}

const FIELD_OF: Readonly<Partial<Record<RefundObjection, Field>>> = {
  amount: 'chosen_amount',
  partial: 'chosen_amount',
  day: 'refunded_on',
  goods: 'returns_stock',
};

/** A bank may charge back any part. */
function mayChooseAmount({ way, config }: RefundForm): boolean {
  return config.partialRefunds || way === 'chargeback';
}

function hasStockField({ way, option }: RefundForm): boolean {
  return option.mayReturnGoods && way !== 'chargeback';
}

function piecesText({ pieces }: RefundForm): string {
  return pieces.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');
}

function stockHint({ t }: Pick<I18n, 't'>, form: RefundForm): string {
  if (form.pieces.length === 0) return t('refunds.form.noPieces');
  return t('refunds.form.stockHint', { pieces: piecesText(form) });
}

/** Says why the form has no question about the stock. */
function stockNote(i18n: I18n, form: RefundForm): string | undefined {
  const isNeeded = form.option.hasRefundWithoutGoods && form.way !== 'chargeback' && form.pieces.length > 0;
  return isNeeded ? i18n.t('refunds.form.stockStays', { pieces: piecesText(form) }) : undefined;
}

function problemText({ t }: I18n, { field, problem }: RefundProblem, values: RefundValues, limit: string): string {
  const isAmount = field === 'chosen_amount' || field === 'amount';
  if (isAmount && hasForeignSeparators(values[field])) return t('form.separators');
  return problem === 'cardData' ? t('form.cardData') : t(`refunds.form.problems.${problem}`, { limit });
}

/** Builds the page. With `amount`, it is the second step, in which this amount is typed again. */
export function refundPage(
  i18n: I18n,
  form: RefundForm,
  values: RefundValues,
  shown: { readonly problems?: readonly RefundProblem[]; readonly amount?: Centavos },
) {
  const { t, money } = i18n;
  const { order, option, refunds, way } = form;
  const limit = money(option.limit);
  const isOutside = option.attempt.flow === 'outside';
  const known = isOutside ? [] : gatewayFacts(i18n, option.attempt);
  const errors = (shown.problems ?? []).map(({ field, problem }) => ({
    field,
    message: problemText(i18n, { field, problem }, values, limit),
  }));
  const viewOf = (name: Field) => typedField({ typed: values, errors }, name);
  const asked = { attempt: String(option.attempt.ordinal), way, version: String(order.version) };
  const page = {
    errors,
    number: order.number,
    href: adminOrderPath(order),
    title: t(`refunds.form.titles.${way}`),
    payment: attemptTitle(i18n, option.attempt),
    effect: t(`refunds.form.effects.${way === 'record' && isOutside ? 'recordOutside' : way}`),
  };
  if (shown.amount !== undefined) {
    const amount = money(shown.amount);
    const { chosen_amount, refunded_on, reason, returns_stock } = values;
    return {
      ...page,
      facts: [...known, ...confirmedFacts(i18n, form, values, amount)],
      hidden: { ...asked, chosen_amount, refunded_on, reason, returns_stock },
      confirmation: {
        field: {
          name: 'amount',
          inputMode: 'decimal',
          isRequired: true,
          ...viewOf('amount'),
          label: t('refunds.form.type', { amount: toPesosText(shown.amount) }),
        },
        submit: t(`refunds.form.submit.${way}`, { amount }),
      },
    };
  }
  return {
    ...page,
    facts: [...known, ...refundFacts(i18n, option.attempt, refunds)],
    hidden: asked,
    fields: fieldsOf(i18n, form).map((field) => ({ ...field, ...viewOf(field.name) })),
    stockNote: stockNote(i18n, form),
  };
}

/** The fields of the first step. */
function fieldsOf({ t, money }: I18n, form: RefundForm) {
  const { order, option, way, at } = form;
  const yesOrNo = (['yes', 'no'] as const).map((value) => ({ value, label: t(`refunds.form.${value}`) }));
  const amount = {
    name: 'chosen_amount' as const,
    inputMode: 'decimal',
    label: t('refunds.form.amount'),
    hint: t('refunds.form.amountHint', { limit: money(option.limit) }),
  };
  const day = {
    name: 'refunded_on' as const,
    kind: 'date',
    min: dayOf(firstRefundTime(order)),
    max: dayOf(at),
    label: way !== 'gateway' && t(`refunds.form.day.${way}`),
    hint: t('refunds.form.dayHint'),
  };
  const reason = {
    name: 'reason' as const,
    isRequired: true,
    label: t('refunds.form.reason'),
    hint: t('refunds.form.reasonHint'),
  };
  const stock = {
    name: 'returns_stock' as const,
    kind: 'radios',
    isRequired: true,
    options: yesOrNo,
    label: t('refunds.form.stock'),
    hint: stockHint({ t }, form),
  };
  return [
    ...(mayChooseAmount(form) ? [amount] : []),
    ...(way === 'gateway' ? [] : [day]),
    reason,
    ...(hasStockField(form) ? [stock] : []),
  ];
}

/** What the second step confirms. The values have no problems. */
function confirmedFacts(i18n: I18n, form: RefundForm, values: RefundValues, amount: string) {
  const { t } = i18n;
  const { reason, refunded_on, returns_stock } = values;
  const day = form.way === 'gateway' ? '' : i18n.day(startOfDay(refunded_on));
  const answer = t(returns_stock === 'yes' ? 'refunds.form.yes' : 'refunds.form.no');
  const stock = returns_stock === 'yes' && form.pieces.length > 0 ? `${answer}: ${piecesText(form)}` : answer;
  const recorded = { day, stock: hasStockField(form) ? stock : '' };
  return [
    ...factList({ amount, reason }, (name) => t(`refunds.form.${name}`)),
    ...factList(recorded, (name) => t(`refunds.recorded.${name}`)),
  ];
}
