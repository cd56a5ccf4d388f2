/** The form of a zone. */

import { holdsCardNumber, readAmount } from '@tianguis/payments/rules';
import type { Translate } from '../../locales/translations.js';
import { STATE_CODES } from '../../shop/rules/contact.js';
import {
  type DeliveryDays,
  findTableProblems,
  type ShippingStep,
  type ShippingTable,
  TABLE_LIMITS,
  type ZoneDelivery,
} from '../../shop/rules/shipping-table.js';
import type { Field, FormFields, PostedForm, Typed, ValuesOf } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import { withZone } from './change-zones.js';

/** Rows of the form. */
export const STEPS = Array.from({ length: TABLE_LIMITS.steps }, (_step, index) => index + 1);
const { name: NAME_LIMIT, days: MAX_DAYS, postalCodes: MAX_CODES } = TABLE_LIMITS;

/** Returns kilograms as grams, or `undefined`. */
export function readWeight(text: string): number | undefined {
  if (UNCLEAR_WEIGHT.test(text) || !/^\d{1,4}(?:[.,]\d{1,3})?$/.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split(/[.,]/);
  return Number(whole) * 1_000 + Number(decimals.padEnd(3, '0')) || undefined;
}

/** `1,500` kg may be 1,500 kg, 1.5 kg, or grams. */
const UNCLEAR_WEIGHT = /^[1-9]\d{0,2}(?:,\d{3})+$/;

/** Returns what is wrong with a weight. */
export function weightProblem(t: Translate, text: string): string {
  if (UNCLEAR_WEIGHT.test(text)) return t('shippingTable.problems.weightUnclear', { text });
  return t('shippingTable.problems.weight');
}

export const CODE_FIELDS = {
  postal_codes: {
    label: 'shippingTable.postalCodes',
    hint: 'shippingTable.postalCodesHint',
    inputMode: 'decimal',
    holdsCard: holdsCardBesideCodes,
    parse(typed) {
      const codes = codesIn(typed);
      return codes.length <= MAX_CODES && areCodes(codes) ? codes : undefined;
    },
    problem: (t, typed) =>
      codesIn(typed).length > MAX_CODES
        ? t('shippingTable.problems.manyCodes', { limit: MAX_CODES })
        : t('shippingTable.problems.postalCodes'),
  },
} as const satisfies FormFields;

/** The fields of the zone at a place. The last one shows neither name nor destinations. */
export function zoneFields({ shipping }: RequestContext, place: number | 'new') {
  const isRest = place === shipping.zones.length - 1;
  const others = shipping.zones.slice(0, -1).filter((_zone, index) => index !== place);
  // A form names its zone.
  const isTaken = (name: string) => others.some((each) => each.name === name);
  const isName = (typed: string) => typed !== '' && typed.length <= NAME_LIMIT && !isTaken(typed);
  return {
    name: {
      label: 'shippingTable.name',
      hint: 'shippingTable.nameHint',
      parse: (typed) => (isRest || isName(typed) ? typed : undefined),
      problem: (t, typed) =>
        isTaken(typed)
          ? t('shippingTable.problems.nameTaken')
          : t('shippingTable.problems.name', { limit: NAME_LIMIT }),
    },
    states: {
      kind: 'checkboxes',
      label: 'shippingTable.states',
      hint: 'shippingTable.statesHint',
      options: STATE_CODES.map((state) => ({
        value: state,
        label(t) {
          // Chosen, the state leaves its zone.
          const zone = others.find(({ states }) => states.includes(state))?.name;
          const name = t(`mexicanStates.${state}`);
          return zone === undefined ? name : t('shippingTable.stateOf', { state: name, zone });
        },
      })),
      parse: (typed) => STATE_CODES.filter((each) => typed.split(' ').includes(each)),
    },
    ...CODE_FIELDS,
    ...DELIVERY_FIELDS,
  } as const satisfies FormFields;
}

/** A field of the delivery. Without delivery its text does not count, and its value is null. */
function ifDelivered<Value>(field: Field<Value>): Field<Value | null> {
  return { ...field, parse: (typed, form) => (form.texts['delivers'] === 'no' ? null : field.parse(typed, form)) };
}

function byOf(typed: string | undefined): ZoneDelivery['by'] {
  return typed === 'weight' ? 'weight' : 'total';
}

function codesIn(typed: string): readonly string[] {
  return typed.split(/[\s,;]+/).filter((each) => each !== '');
}

function areCodes(words: readonly string[]): boolean {
  return words.every((each) => /^\d{2,5}$/.test(each));
}

/** In a list of codes, those of 2, 3 or 5 digits are no group of a card. In another text they may be, as in `3782 822463 10005`. */
function holdsCardBesideCodes(typed: string): boolean {
  return holdsCardNumber(areCodes(codesIn(typed)) ? typed.replace(/\b(?:\d{2,3}|\d{5})\b/g, 'x') : typed);
}

function readDays(first: string, last: string): DeliveryDays | null | undefined {
  if (first === '' && last === '') return null;
  if (![first, last].every((text) => /^\d{1,2}$/.test(text))) return undefined;
  const days = { min: Number(first), max: Number(last) };
  return days.min <= days.max && days.max <= MAX_DAYS ? days : undefined;
}

/** Returns centavos or grams, `null` for an empty text, or `undefined` for a wrong one. */
function readLimit(by: ZoneDelivery['by'], text: string): number | null | undefined {
  if (text === '') return null;
  return by === 'weight' ? readWeight(text) : readAmount(text) || undefined;
}

const STEP_FIELDS: FormFields = Object.fromEntries(
  STEPS.flatMap((row) => [
    [
      `up_to_${row}`,
      ifDelivered({
        label: (t) => t('shippingTable.limit', { row }),
        isLabelHidden: true,
        inputMode: 'decimal',
        parse: (typed, { texts }) => readLimit(byOf(texts['by']), typed),
        problem: (t, typed, { texts }) =>
          byOf(texts['by']) === 'weight' ? weightProblem(t, typed) : t('shippingTable.problems.amount'),
      }),
    ],
    [
      `price_${row}`,
      ifDelivered({
        label: (t) => t('shippingTable.price', { row }),
        isLabelHidden: true,
        inputMode: 'decimal',
        parse: (typed, { texts }) => (typed === '' && texts[`up_to_${row}`] === '' ? null : readAmount(typed)),
        problem: 'shippingTable.problems.price',
      }),
    ],
  ]),
);

const DELIVERY_FIELDS = {
  delivers: {
    kind: 'radios',
    label: 'shippingTable.delivers',
    options: [
      { value: 'yes', label: 'shippingTable.yes' },
      { value: 'no', label: 'shippingTable.no' },
    ],
    parse: (typed) => typed !== 'no',
  },
  by: {
    kind: 'radios',
    label: 'shippingTable.by',
    options: [
      { value: 'total', label: 'shippingTable.byTotal' },
      { value: 'weight', label: 'shippingTable.byWeight' },
    ],
    parse: byOf,
  },
  ...STEP_FIELDS,
  free_from: ifDelivered({
    label: 'shippingTable.free',
    inputMode: 'decimal',
    parse: (typed) => (typed === '' ? null : readAmount(typed) || undefined),
    problem: 'shippingTable.problems.amount',
  }),
  /** Its value has both days. */
  days_min: ifDelivered({
    label: 'shippingTable.daysMin',
    inputMode: 'decimal',
    parse: (typed, { texts }) => readDays(typed, texts['days_max'] ?? ''),
    problem: (t) => t('shippingTable.problems.days', { limit: MAX_DAYS }),
  }),
  days_max: {
    label: 'shippingTable.daysMax',
    inputMode: 'decimal',
    parse: (typed) => typed,
  },
} as const satisfies FormFields;

type ZoneForm = Pick<PostedForm<object>, 'typed'> & { readonly values: ValuesOf<ReturnType<typeof zoneFields>> };

/** Returns the table with the zone of the form. */
export function tableWith({ shipping }: RequestContext, place: number | 'new', form: ZoneForm): ShippingTable {
  const { name, states, postal_codes: postalCodes, delivers, by, free_from: freeFrom, days_min: days } = form.values;
  const delivery = delivers ? { by, steps: stepsOf(by, form.typed), freeFrom, days } : null;
  return withZone(shipping, place, { name, states, postalCodes, delivery });
}

/** Returns the steps of the rows with a price. All rows are valid. */
function stepsOf(by: ZoneDelivery['by'], typed: Typed): readonly ShippingStep[] {
  return STEPS.flatMap((row) => {
    const price = readAmount(typed[`price_${row}`] ?? '');
    return price === undefined ? [] : [{ upTo: readLimit(by, typed[`up_to_${row}`] ?? '') ?? null, price }];
  });
}

/** Returns what is wrong between the zones, by field. */
export function tableProblems({ t }: RequestContext, table: ShippingTable): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const each of findTableProblems(table)) {
    if (each.problem === 'digits_twice') problems['postal_codes'] = t('shippingTable.problems.twice', each);
    else if (each.problem === 'zone_empty')
      problems['states'] = t('shippingTable.problems.empty', { name: table.zones[each.place]?.name ?? '' });
    else if (each.problem === 'nothing_offered') problems['delivers'] = t('shippingTable.problems.nothing');
    else problems['price_1'] = t('shippingTable.problems.steps');
  }
  return problems;
}
