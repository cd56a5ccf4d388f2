/** The record of a payment past the gateway, and its reversal. */
import { REFUND_REASON_LIMIT } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import { dayOf, startOfDay } from '../../shop/rules/mexico-day.js';
import { OUTSIDE_METHODS } from '../../shop/rules/outside-method.js';
import type { Order } from '../../tables/orders.js';
import { choice, text } from '../../web/fields.js';
import type { FormFields } from '../../web/form.js';

/** In characters. */
const NOTE_LIMIT = 200;

export const NOTE_FIELDS = {
  note: text({
    label: 'paidOutside.note',
    hint: 'paidOutside.noteHint',
    limit: NOTE_LIMIT,
    isOptional: true,
    problem: (t) => t('paidOutside.textProblem', { limit: NOTE_LIMIT }),
  }),
} as const satisfies FormFields;

/** The day is checked by the payments. Without one it is `last`, which is today. */
export function recordFields(
  i18n: I18n,
  order: Order,
  { first, last }: { readonly first: string; readonly last: string },
) {
  return {
    method: choice(OUTSIDE_METHODS, (method) => `outsideMethods.${method}`, {
      kind: 'list',
      isRequired: true,
      label: 'paidOutside.method',
      choose: 'paidOutside.chooseMethod',
      problem: 'paidOutside.methodProblem',
    }),
    paid_on: {
      kind: 'date',
      isRequired: true,
      label: 'paidOutside.day',
      min: first,
      max: last,
      parse: (typed) => typed || last,
      problem: () => dayProblem(i18n, order, first),
    },
    ...NOTE_FIELDS,
  } as const satisfies FormFields;
}

/** Says from which day on a payment of the order may be recorded. */
export function dayProblem({ t, day }: I18n, { createdAt }: Order, first: string): string {
  if (first === dayOf(createdAt)) return t('paidOutside.dayProblem');
  return t('paidOutside.dayProblemFrom', { first: day(startOfDay(first)) });
}

export const REVERSAL_FIELDS = {
  reversal_reason: text({
    isRequired: true,
    label: 'paidOutside.reason',
    limit: REFUND_REASON_LIMIT,
    problem: (t) => t('paidOutside.textProblem', { limit: REFUND_REASON_LIMIT }),
  }),
} as const satisfies FormFields;

const STOCK_FIELDS = {
  returns_stock: choice(['yes', 'no'] as const, (answer) => `paidOutside.${answer}`, {
    kind: 'radios',
    isRequired: true,
    label: 'paidOutside.stock',
    problem: 'paidOutside.stockProblem',
  }),
} as const satisfies FormFields;

/** `asksStock`: the goods can return to stock. */
export function reversalFields(asksStock: boolean): typeof REVERSAL_FIELDS & Partial<typeof STOCK_FIELDS> {
  return asksStock ? { ...REVERSAL_FIELDS, ...STOCK_FIELDS } : REVERSAL_FIELDS;
}
