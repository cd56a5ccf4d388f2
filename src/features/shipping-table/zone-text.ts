/** How pages show a table: in pesos, kilograms and names of states. */

import { centavos, toPesosText } from '@tianguis/payments/rules';
import { daysText } from '../../locales/delivery-days.js';
import { STATE_CODES } from '../../shop/rules/contact.js';
import type { ShippingZone, ZoneDelivery } from '../../shop/rules/shipping-table.js';
import type { RequestContext } from '../../web/request-context.js';

/** Grams as kilograms. */
export function weightText(grams: number): string {
  return String(grams / 1_000);
}

export function limitText({ by }: Pick<ZoneDelivery, 'by'>, upTo: number | null): string {
  if (upTo === null) return '';
  return by === 'weight' ? weightText(upTo) : toPesosText(centavos(upTo));
}

/** Returns the prices and days of a zone as sentences. */
export function deliverySentences(context: RequestContext, { delivery }: ShippingZone): readonly string[] {
  const { t, money } = context;
  if (!delivery) return [t('shippingTable.notDelivered')];
  const { by, steps, freeFrom, days } = delivery;
  const priceText = (price: (typeof steps)[number]['price']) => (price === 0 ? t('shipping.free') : money(price));
  const limitOf = (upTo: number) => (by === 'weight' ? `${weightText(upTo)} kg` : money(centavos(upTo)));
  const prices = steps.map(({ upTo, price }) => {
    if (upTo !== null) return t('shippingTable.upTo', { limit: limitOf(upTo), price: priceText(price) });
    return steps.length === 1 ? priceText(price) : t('shippingTable.above', { price: priceText(price) });
  });
  return [
    `${prices.join('; ')}.`,
    ...(freeFrom === null ? [] : [t('shippingTable.freeFrom', { total: money(freeFrom) })]),
    ...(days ? [daysText(t, days)] : []),
  ];
}

/** Returns the name of the last zone. */
export function restName({ t }: RequestContext, { states }: ShippingZone): string {
  return t(states.length === STATE_CODES.length ? 'shippingTable.everywhere' : 'shippingTable.rest');
}

/** Codes of a zone that the list shows. */
const MAX_CODES = 40;

/** Returns the destinations of a zone, or nothing for all states. */
export function placesText({ t, locale }: RequestContext, zone: ShippingZone): string {
  if (zone.states.length === STATE_CODES.length) return '';
  const states = zone.states.map((state) => t(`mexicanStates.${state}`));
  const codes = zone.postalCodes.slice(0, MAX_CODES).map((digits) => t('shippingTable.digits', { digits }));
  const more = zone.postalCodes.length - codes.length;
  const rest = more > 0 ? [t('shippingTable.moreDigits', { count: more })] : [];
  return new Intl.ListFormat(locale, { type: 'unit' }).format([...states, ...codes, ...rest]);
}
