/** The form of a new discount code. */

import { centavos, hasForeignSeparators, holdsCardNumber, readAmount } from '@tianguis/payments/rules';
import { fieldErrorList } from '../../admin/order-record.js';
import { readDiscountValue } from '../../shop/rules/discount.js';
import { isDay } from '../../shop/rules/mexico-day.js';
import type { FieldError } from '../../view-models/field-error.js';
import { type Fields, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { readCode } from './rules.js';
import type { DiscountCodesTable } from './tables.js';

const FIELDS = ['code', 'kind', 'value', 'minimum', 'starts_on', 'ends_on', 'max_uses'] as const;
export type DiscountField = (typeof FIELDS)[number];
export type DiscountValues = Readonly<Record<DiscountField, string>>;

/** A form as typed, with its errors. */
export interface DiscountForm {
  readonly values: DiscountValues;
  readonly errors: readonly FieldError[];
  /** What a checkbox posts as `confirmed_value`. Absent: nothing is asked. */
  readonly confirmation?: string;
}

const KINDS = ['percent', 'amount'] as const;
const MAX_USES = 1_000_000;

export const EMPTY_FORM: DiscountForm = {
  values: { code: '', kind: 'percent', value: '', minimum: '', starts_on: '', ends_on: '', max_uses: '' },
  errors: [],
};

export type NewDiscount = Omit<DiscountCodesTable, 'createdAt' | 'createdBy' | 'endedAt' | 'endedBy'>;

/** Returns the form as typed. A possible card number is left out. */
export function postedValues(fields: Fields): DiscountValues {
  const typed = FIELDS.map((name) => [name, readText(fields[name]).trim()] as const);
  return Object.fromEntries(
    typed.map(([name, value]) => [name, holdsCardNumber(value) ? '' : value]),
  ) as DiscountValues;
}

/** What is typed, where `undefined` is no valid value. */
function parse(values: DiscountValues) {
  const kind = KINDS.find((each) => each === values.kind);
  return {
    code: readCode(values.code),
    kind,
    value: readDiscountValue(kind ?? 'amount', values.value),
    minimum: values.minimum === '' ? centavos(0) : readAmount(values.minimum) || undefined,
    startsOn: readDay(values.starts_on),
    endsOn: readDay(values.ends_on),
    maxUses: values.max_uses === '' ? null : readCount(values.max_uses),
  };
}

type Complete<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> };

function isComplete<T extends object>(parsed: T): parsed is T & Complete<T> {
  return Object.values(parsed).every((value) => value !== undefined);
}

/** Reads the posted form. `today`: the present day in Mexico City. */
export function readDiscount(
  { t }: Pick<RequestContext, 't'>,
  fields: Fields,
  today: string,
): { readonly errors: readonly FieldError[]; readonly discount?: NewDiscount } {
  const values = postedValues(fields);
  const parsed = parse(values);
  const { startsOn, endsOn } = parsed;
  const isOver = [today, startsOn].some((day) => endsOn && day && endsOn < day);
  if (isComplete(parsed) && !isOver) return { errors: [], discount: parsed };
  const isWrong = (name: keyof typeof parsed) => parsed[name] === undefined;
  const isCard = holdsCardNumber(readText(fields['code']));
  const valueProblem = parsed.kind === 'percent' ? 'discounts.problems.percent' : moneyProblem(values.value);
  const errors = fieldErrorList({
    code: isWrong('code') && t(isCard ? 'form.cardData' : 'discounts.problems.code'),
    kind: isWrong('kind') && t('discounts.problems.kind'),
    value: isWrong('value') && t(valueProblem),
    minimum: isWrong('minimum') && t(moneyProblem(values.minimum)),
    starts_on: isWrong('startsOn') && t('discounts.problems.day'),
    ends_on: (isWrong('endsOn') || isOver) && t(isOver ? 'discounts.problems.over' : 'discounts.problems.day'),
    max_uses: isWrong('maxUses') && t('discounts.problems.maxUses', { limit: MAX_USES }),
  });
  return { errors };
}

/** Returns what confirms a discount of this size. */
export function confirmationOf({ kind, value }: NewDiscount): string {
  return `${kind}-${value}`;
}

function moneyProblem(text: string) {
  return hasForeignSeparators(text) ? 'form.separators' : 'discounts.problems.amount';
}

function readCount(text: string): number | undefined {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MAX_USES ? count : undefined;
}

/** Null: there is none. */
function readDay(text: string): string | null | undefined {
  if (text === '') return null;
  return isDay(text) ? text : undefined;
}

/** Builds the fields of views/discounts/discounts.ejs. */
export function discountFields({ t }: RequestContext, { values, errors, confirmation }: DiscountForm) {
  const field = (name: DiscountField, type: string, further: object = {}) => ({
    ...{ name, type, value: values[name], label: t(`discounts.labels.${name}`) },
    error: errors.find((each) => each.field === name)?.message,
    ...further,
  });
  return {
    /** Before and after the choice of the kind. */
    first: [field('code', 'text', { hint: t('discounts.codeHint') })],
    kinds: KINDS.map((kind) => ({ kind, label: t(`discounts.kinds.${kind}`), checked: values.kind === kind })),
    kindError: errors.find((each) => each.field === 'kind')?.message,
    others: [
      field('value', 'text', { hint: t('discounts.valueHint'), inputMode: 'decimal', confirmation }),
      field('minimum', 'text', { hint: t('discounts.minimumHint'), inputMode: 'decimal' }),
      field('max_uses', 'text', { hint: t('discounts.maxUsesHint'), inputMode: 'numeric' }),
      field('starts_on', 'date', { hint: t('discounts.startsHint') }),
      field('ends_on', 'date', { hint: t('discounts.endsHint') }),
    ],
  };
}
