import { type Centavos, centavos } from '@tianguis/payments/rules';
import type { ShippingKind } from './frozen-shipping.js';
import type { Product } from './product.js';
import {
  type DeliveryDays,
  type Destination,
  type Parcel,
  priceOf,
  reachableZones,
  type ShippingTable,
  type ZoneDelivery,
  zoneOf,
} from './shipping-table.js';

/** All shipping options, by how the order reaches its customer. `none`: no line of the cart requires shipping. */
export const SHIPPING_OPTIONS = {
  standard: 'delivery',
  pickup: 'pickup',
  none: 'none',
} as const satisfies Readonly<Record<string, ShippingKind>>;
export type ShippingOptionId = keyof typeof SHIPPING_OPTIONS;

/** An option for a cart. The order that is placed freezes it. */
export interface ShippingOption {
  readonly id: ShippingOptionId;
  /** `delivery` needs an address. */
  readonly kind: ShippingKind;
  /** Before the destination is known, the least price. */
  readonly price: Centavos;
  /** Greater than `price` if the price depends on a destination that is not known yet. */
  readonly greatest: Centavos;
  /** Absent: the shop states none. */
  readonly days?: DeliveryDays | undefined;
}

/** A line of a cart, as far as its delivery depends on it. */
export interface ParcelLine {
  readonly product: Pick<Product, 'requiresShipping'> & Partial<Pick<Product, 'weight'>>;
  readonly quantity: number;
}

const FREE = centavos(0);

/**
 * Returns the shipping options of a cart. The first is selected by default. `destination` is what is known of the delivery
 * address: without it, the options have the prices of all zones. A destination to which the shop does not deliver has no
 * option with delivery.
 */
export function shippingOptions(
  table: ShippingTable,
  lines: readonly ParcelLine[],
  goodsTotal: Centavos,
  destination: Destination = {},
): readonly ShippingOption[] {
  const shipped = lines.filter(({ product }) => product.requiresShipping);
  if (shipped.length === 0) return [{ id: 'none', kind: 'none', price: FREE, greatest: FREE }];
  const grams = shipped.map(({ product, quantity }) => quantity * (product.weight ?? table.defaultWeight));
  const parcel = { weight: grams.reduce((sum, each) => sum + each, 0), total: goodsTotal };
  return [
    ...deliveryOption(deliveriesTo(table, destination), parcel),
    ...(table.pickup ? [{ id: 'pickup', kind: 'pickup', price: FREE, greatest: FREE } as const] : []),
  ];
}

/** Returns how the shop delivers to a destination, or to all of them if it is not known yet. */
function deliveriesTo(table: ShippingTable, destination: Destination): readonly ZoneDelivery[] {
  const zone = zoneOf(table, destination);
  return (zone ? [zone] : reachableZones(table)).flatMap(({ delivery }) => delivery ?? []);
}

function deliveryOption(deliveries: readonly ZoneDelivery[], parcel: Parcel): readonly ShippingOption[] {
  if (deliveries.length === 0) return [];
  const prices = deliveries.map((delivery) => priceOf(delivery, parcel));
  const [least, greatest] = [centavos(Math.min(...prices)), centavos(Math.max(...prices))];
  return [{ id: 'standard', kind: 'delivery', price: least, greatest, days: daysOf(deliveries) }];
}

/** Returns the days of all these deliveries together. `undefined`: the shop states none for one of them. */
function daysOf(deliveries: readonly ZoneDelivery[]): DeliveryDays | undefined {
  const days = deliveries.flatMap((delivery) => delivery.days ?? []);
  if (days.length < deliveries.length) return undefined;
  return { min: Math.min(...days.map(({ min }) => min)), max: Math.max(...days.map(({ max }) => max)) };
}

/** Returns the total from which each delivery is free. `undefined`: it differs by destination, or none is. */
export function freeFromOf(table: ShippingTable): Centavos | undefined {
  const [first, ...others] = reachableZones(table).flatMap(({ delivery }) => (delivery ? [delivery.freeFrom] : []));
  return others.every((each) => each === first) ? (first ?? undefined) : undefined;
}

/** Returns whether this is the id of a shipping option. */
export function isShippingOption(id: unknown): id is ShippingOptionId {
  return typeof id === 'string' && Object.hasOwn(SHIPPING_OPTIONS, id);
}
