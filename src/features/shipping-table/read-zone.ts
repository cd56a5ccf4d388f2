/** The form of a zone. */

import { holdsCardNumber, plainText, readAmount } from '@tianguis/payments/rules';
import { STATE_CODES } from '../../shop/rules/contact.js';
import {
  findTableProblems,
  type ShippingStep,
  type ShippingTable,
  type ShippingZone,
  TABLE_LIMITS,
  type ZoneDelivery,
} from '../../shop/rules/shipping-table.js';
import type { FieldError } from '../../view-models/field-error.js';
import { errorList } from '../../web/form.js';
import { type Fields, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { withZone } from './change-zones.js';

/** Rows of the form. */
export const STEPS = Array.from({ length: TABLE_LIMITS.steps }, (_, index) => index + 1);
const { name: NAME_LIMIT, days: MAX_DAYS } = TABLE_LIMITS;
const FIELDS = ['name', 'postal_codes', 'delivers', 'by', 'free_from', 'days_min', 'days_max'] as const;

/** The form as typed. A list of states is joined by spaces. */
export type TypedZone = Readonly<Record<string, string>>;

export function typedZone(fields: Fields): TypedZone {
  const names = [...FIELDS, ...STEPS.flatMap((row) => [`up_to_${row}`, `price_${row}`])];
  const texts = names.map((name) => [name, plainText(readText(fields[name])).trim()]);
  const states = [fields['states']].flat().filter((each) => STATE_CODES.some((state) => state === each));
  return { ...Object.fromEntries(texts), states: states.join(' ') };
}

/** Returns kilograms as grams, or `undefined`. */
export function readWeight(text: string): number | undefined {
  if (UNCLEAR_WEIGHT.test(text) || !/^\d{1,4}(?:[.,]\d{1,3})?$/.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split(/[.,]/);
  return Number(whole) * 1_000 + Number(decimals.padEnd(3, '0')) || undefined;
}

/** `1,500` kg may be 1,500 kg, 1.5 kg, or grams. */
const UNCLEAR_WEIGHT = /^[1-9]\d{0,2}(?:,\d{3})+$/;

/** Returns what is wrong with a weight, or `undefined`. */
export function weightProblem(t: RequestContext['t'], text: string): string | undefined {
  if (UNCLEAR_WEIGHT.test(text)) return t('shippingTable.problems.weightUnclear', { text });
  return readWeight(text) === undefined ? t('shippingTable.problems.weight') : undefined;
}

type Problems = Record<string, string | false | undefined>;

/** Returns the table with the typed zone, or what is wrong by field. */
export function readZone(
  context: RequestContext,
  place: number | 'new',
  typed: TypedZone,
): { readonly errors: readonly FieldError[]; readonly table?: ShippingTable } {
  const { t, shipping } = context;
  const isRest = place === shipping.zones.length - 1;
  const { name = '', states = '', postal_codes: codes = '' } = typed;
  const postalCodes = codes.split(/[\s,;]+/).filter((each) => each !== '');
  const { delivery, problems } = readDelivery(context, typed);
  const isNameWrong = name === '' || name.length > NAME_LIMIT || holdsCardNumber(name);
  // A form names its zone.
  const isTaken = shipping.zones.slice(0, -1).some((each, index) => index !== place && each.name === name);
  Object.assign(problems, {
    ...(!isRest && isTaken && { name: t('shippingTable.problems.nameTaken') }),
    ...(!isRest && isNameWrong && { name: t('shippingTable.problems.name', { limit: NAME_LIMIT }) }),
    postal_codes: codesProblem(context, postalCodes),
  });
  const zone: ShippingZone = {
    name,
    states: STATE_CODES.filter((each) => states.split(' ').includes(each)),
    postalCodes,
    delivery,
  };
  const table = withZone(shipping, place, zone);
  if (!Object.values(problems).some(Boolean)) Object.assign(problems, tableProblems(context, table));
  const errors = errorList(problems);
  return errors.length > 0 ? { errors } : { errors, table };
}

function codesProblem({ t }: RequestContext, postalCodes: readonly string[]): string | undefined {
  const limit = TABLE_LIMITS.postalCodes;
  if (postalCodes.length > limit) return t('shippingTable.problems.manyCodes', { limit });
  return postalCodes.some((each) => !/^\d{2,5}$/.test(each)) ? t('shippingTable.problems.postalCodes') : undefined;
}

/** Returns what is wrong between the zones. */
function tableProblems({ t }: RequestContext, table: ShippingTable): Problems {
  const problems: Problems = {};
  for (const each of findTableProblems(table)) {
    if (each.problem === 'digits_twice') problems['postal_codes'] = t('shippingTable.problems.twice', each);
    else if (each.problem === 'zone_empty')
      problems['states'] = t('shippingTable.problems.empty', { name: table.zones[each.place]?.name ?? '' });
    else if (each.problem === 'nothing_offered') problems['delivers'] = t('shippingTable.problems.nothing');
    else problems['price_1'] = t('shippingTable.problems.steps');
  }
  return problems;
}

function readDelivery({ t }: RequestContext, typed: TypedZone): { delivery: ZoneDelivery | null; problems: Problems } {
  if (typed['delivers'] === 'no') return { delivery: null, problems: {} };
  const by = typed['by'] === 'weight' ? 'weight' : 'total';
  const { free_from: from = '', days_min: first = '', days_max: last = '' } = typed;
  const freeFrom = from === '' ? null : readAmount(from) || undefined;
  const days = [first, last].map((text) =>
    /^\d{1,2}$/.test(text) && Number(text) <= MAX_DAYS ? Number(text) : undefined,
  );
  const [min, max] = days;
  const isWithoutDays = first === '' && last === '';
  const areDaysFit = isWithoutDays || (min !== undefined && max !== undefined && min <= max);
  const { steps, problems } = readSteps(t, by, typed);
  return {
    delivery: {
      by,
      steps,
      freeFrom: freeFrom ?? null,
      days: min !== undefined && max !== undefined ? { min, max } : null,
    },
    problems: {
      ...problems,
      free_from: freeFrom === undefined && t('shippingTable.problems.amount'),
      days_min: !areDaysFit && t('shippingTable.problems.days', { limit: MAX_DAYS }),
    },
  };
}

function readSteps(t: RequestContext['t'], by: ZoneDelivery['by'], typed: TypedZone) {
  const rows = STEPS.map((row) => ({ row, limit: typed[`up_to_${row}`] ?? '', amount: typed[`price_${row}`] ?? '' }));
  const used = rows
    .filter(({ limit, amount }) => limit + amount !== '')
    .map(({ row, limit, amount }) => ({ row, limit, upTo: readLimit(by, limit), price: readAmount(amount) }));
  const steps = used.flatMap(({ upTo, price }) => (upTo === undefined || price === undefined ? [] : [{ upTo, price }]));
  const problemOf = (limit: string) => (by === 'weight' ? weightProblem(t, limit) : t('shippingTable.problems.amount'));
  const problems = used.flatMap(({ row, limit, upTo, price }) => [
    [`up_to_${row}`, upTo === undefined && problemOf(limit)],
    [`price_${row}`, price === undefined && t('shippingTable.problems.price')],
  ]);
  const orderProblem = !isOrdered(steps) && { price_1: t('shippingTable.problems.steps') };
  return { steps, problems: { ...orderProblem, ...Object.fromEntries(problems) } };
}

/** Returns centavos or grams, `null` for an empty text, or `undefined` for a wrong one. */
function readLimit(by: ZoneDelivery['by'], text: string): number | null | undefined {
  if (text === '') return null;
  return by === 'weight' ? readWeight(text) : readAmount(text) || undefined;
}

function isOrdered(steps: readonly ShippingStep[]): boolean {
  const limits = steps.map(({ upTo }) => upTo ?? Infinity);
  return limits.at(-1) === Infinity && limits.every((limit, place) => limit > (limits[place - 1] ?? 0));
}
