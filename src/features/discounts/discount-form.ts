/** The form of a new discount code. */
import { centavos, hasForeignSeparators, readAmount } from '@tianguis/payments/rules';
import type { Translate } from '../../locales/translations.js';
import { readDiscountValue } from '../../shop/rules/discount.js';
import { dayOf, isDay } from '../../shop/rules/mexico-day.js';
import { choice, day, optional } from '../../web/fields.js';
import type { FormFields, ValuesOf } from '../../web/form.js';
import { readCode } from './rules.js';
import type { DiscountCodesTable } from './tables.js';

const KINDS = ['percent', 'amount'] as const;
const MAX_USES = 1_000_000;

export type NewDiscount = Omit<DiscountCodesTable, 'createdAt' | 'createdBy' | 'endedAt' | 'endedBy'>;

/** Returns the message at a wrong amount: which separators are meant, or how an amount is written. */
function wrongAmount(t: Translate, typed: string): string {
  return t(hasForeignSeparators(typed) ? 'form.separators' : 'discounts.problems.amount');
}

/** The names are those of the columns of a list of codes. */
export const DISCOUNT_FIELDS = {
  code: {
    label: 'discounts.labels.code',
    hint: 'discounts.codeHint',
    parse: readCode,
    problem: 'discounts.problems.code',
  },
  kind: choice(KINDS, (kind) => `discounts.kinds.${kind}`, {
    kind: 'radios',
    label: 'discounts.labels.kind',
    problem: 'discounts.problems.kind',
  }),
  value: {
    label: 'discounts.labels.value',
    hint: 'discounts.valueHint',
    inputMode: 'decimal',
    confirm: 'discounts.confirm',
    parse: (typed, { texts }) => readDiscountValue(texts['kind'] === 'percent' ? 'percent' : 'amount', typed),
    problem: (t, typed, { texts }) =>
      texts['kind'] === 'percent' ? t('discounts.problems.percent') : wrongAmount(t, typed),
  },
  minimum: {
    label: 'discounts.labels.minimum',
    hint: 'discounts.minimumHint',
    inputMode: 'decimal',
    parse: (typed) => (typed === '' ? centavos(0) : readAmount(typed) || undefined),
    problem: wrongAmount,
  },
  max_uses: optional({
    label: 'discounts.labels.max_uses',
    hint: 'discounts.maxUsesHint',
    inputMode: 'numeric',
    parse: readCount,
    problem: (t) => t('discounts.problems.maxUses', { limit: MAX_USES }),
  }),
  starts_on: optional(
    day({ label: 'discounts.labels.starts_on', hint: 'discounts.startsHint', problem: 'discounts.problems.day' }),
  ),
  ends_on: optional({
    kind: 'date',
    label: 'discounts.labels.ends_on',
    hint: 'discounts.endsHint',
    parse: (typed, { texts, now }) => {
      const { starts_on: first = '' } = texts;
      return isDay(typed) && typed >= first && typed >= dayOf(now) ? typed : undefined;
    },
    problem: (t, typed) => t(isDay(typed) ? 'discounts.problems.over' : 'discounts.problems.day'),
  }),
} as const satisfies FormFields;

export function discountOf(values: ValuesOf<typeof DISCOUNT_FIELDS>): NewDiscount {
  const { code, kind, value, minimum, max_uses: maxUses, starts_on: startsOn, ends_on: endsOn } = values;
  return { code, kind, value, minimum, startsOn, endsOn, maxUses };
}

/** Returns what confirms a discount of this size. */
export function confirmationOf({ kind, value }: NewDiscount): string {
  return `${kind}-${value}`;
}

function readCount(typed: string): number | undefined {
  const count = /^\d{1,7}$/.test(typed) ? Number(typed) : 0;
  return count >= 1 && count <= MAX_USES ? count : undefined;
}
