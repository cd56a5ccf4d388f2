/** What a delivery costs, by destination and weight or total. Pure. */
import { type Centavos, centavos } from '@tianguis/payments/rules';
import { STATE_CODES, type StateCode } from './contact.js';

export interface ShippingTable {
  /** Grams of a product without a weight. */
  readonly defaultWeight: number;
  /** The shop offers that customers pick their order up. */
  readonly pickup: boolean;
  /** Each state is in exactly one of them. The last has the states that no other has, and may have none. */
  readonly zones: readonly ShippingZone[];
}

export interface ShippingZone {
  /** For the merchant. */
  readonly name: string;
  readonly states: readonly StateCode[];
  /** Postal codes, or their first digits. The longest that fits goes before the state. */
  readonly postalCodes: readonly string[];
  /** `null`: the shop does not deliver there. */
  readonly delivery: ZoneDelivery | null;
}

export interface ZoneDelivery {
  /** What the steps count: grams of the parcel, or centavos of the products less the discount. */
  readonly by: 'weight' | 'total';
  /** In ascending order. The last has no limit. */
  readonly steps: readonly ShippingStep[];
  /** The delivery is free from this total of the products. `null`: never. */
  readonly freeFrom: Centavos | null;
  /** Business days from the payment to the delivery, with the preparation. `null`: the shop states none. */
  readonly days: DeliveryDays | null;
}

export interface ShippingStep {
  /** In grams or centavos, inclusive. `null`: no limit. */
  readonly upTo: number | null;
  readonly price: Centavos;
}

export interface DeliveryDays {
  readonly min: number;
  readonly max: number;
}

/** What forms and files accept: steps of a zone, business days, characters of a name, zones, and postal codes of all zones. */
export const TABLE_LIMITS = { steps: 6, days: 90, name: 60, zones: 50, postalCodes: 40_000 } as const;

/** Returns the zones that an address can be in. The last one may have no state left. */
export function reachableZones({ zones }: Pick<ShippingTable, 'zones'>): readonly ShippingZone[] {
  return zones.filter(({ states, postalCodes }) => states.length + postalCodes.length > 0);
}

/** A delivery address, as far as it is known. */
export interface Destination {
  readonly state?: StateCode | undefined;
  readonly postalCode?: string | undefined;
}

/** What is delivered: grams, and centavos of the products less the discount. */
export interface Parcel {
  readonly weight: number;
  readonly total: Centavos;
}

/** Returns the zone of a destination. `undefined`: neither its postal code nor its state is known. */
export function zoneOf({ zones }: ShippingTable, { state, postalCode = '' }: Destination): ShippingZone | undefined {
  const byDigits = zonesByDigits(zones);
  for (let length = Math.min(postalCode.length, LONGEST_CODE); length > 0; length -= 1) {
    const zone = byDigits.get(postalCode.slice(0, length));
    if (zone) return zone;
  }
  return zones.find(({ states }) => state !== undefined && states.includes(state));
}

/** In digits. */
const LONGEST_CODE = 5;

type ZonesByDigits = ReadonlyMap<string, ShippingZone>;

const knownDigits = new WeakMap<ShippingTable['zones'], ZonesByDigits>();

function zonesByDigits(zones: ShippingTable['zones']): ZonesByDigits {
  const known =
    knownDigits.get(zones) ??
    new Map(zones.flatMap((zone) => zone.postalCodes.map((digits) => [digits, zone] as const)));
  knownDigits.set(zones, known);
  return known;
}

export function priceOf({ by, steps, freeFrom }: ZoneDelivery, parcel: Parcel): Centavos {
  if (freeFrom !== null && parcel.total >= freeFrom) return centavos(0);
  const amount = by === 'weight' ? parcel.weight : parcel.total;
  const step = steps.find(({ upTo }) => upTo === null || amount <= upTo);
  if (!step) throw new RangeError('the last step of a shipping table has no limit');
  return step.price;
}

/** Why a table is not saved. `place` is the index of the zone, and `state` or `digits` names what is wrong. */
type TableProblem =
  | { readonly problem: 'state_missing' | 'state_twice'; readonly state: StateCode }
  | { readonly problem: 'digits_twice'; readonly digits: string }
  | { readonly problem: 'nothing_offered' }
  | { readonly problem: 'zone_empty' | 'steps_missing' | 'steps_order' | 'days_order'; readonly place: number };

/** Returns what is wrong. A table without a problem has a price, or `null`, for each state. */
export function findTableProblems({ zones, pickup }: ShippingTable): readonly TableProblem[] {
  const countOf = (state: StateCode) => zones.filter(({ states }) => states.includes(state)).length;
  const digits = zones.flatMap(({ postalCodes }) => postalCodes);
  return [
    ...STATE_CODES.filter((state) => countOf(state) === 0).map(
      (state) => ({ problem: 'state_missing', state }) as const,
    ),
    ...STATE_CODES.filter((state) => countOf(state) > 1).map((state) => ({ problem: 'state_twice', state }) as const),
    ...repeatedIn(digits).map((each) => ({ problem: 'digits_twice', digits: each }) as const),
    ...zones.flatMap((zone, place) => findZoneProblems(zone, place, place === zones.length - 1)),
    ...(pickup || reachableZones({ zones }).some(({ delivery }) => delivery)
      ? []
      : [{ problem: 'nothing_offered' } as const]),
  ];
}

/** Returns the first text that an earlier one equals. */
function repeatedIn(texts: readonly string[]): readonly string[] {
  const known = new Set<string>();
  const repeated = texts.find((text) => known.size === known.add(text).size);
  return repeated === undefined ? [] : [repeated];
}

function findZoneProblems(
  { states, postalCodes, delivery }: ShippingZone,
  place: number,
  isRest: boolean,
): readonly TableProblem[] {
  const limits = delivery?.steps.map(({ upTo }) => upTo ?? Infinity) ?? [];
  const isAscending = limits.every((limit, index) => index === 0 || limit > (limits[index - 1] ?? 0));
  const isOpen = limits.at(-1) === Infinity;
  const { days } = delivery ?? {};
  return [
    ...(!isRest && states.length + postalCodes.length === 0 ? [{ problem: 'zone_empty', place } as const] : []),
    ...(delivery && !isOpen ? [{ problem: 'steps_missing', place } as const] : []),
    ...(isAscending ? [] : [{ problem: 'steps_order', place } as const]),
    ...(days && days.min > days.max ? [{ problem: 'days_order', place } as const] : []),
  ];
}
