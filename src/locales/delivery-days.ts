import type { DeliveryDays } from '../shop/rules/shipping-table.js';
import type { Translate } from './translations.js';

/** Returns when an order arrives, as a sentence. */
export function daysText(t: Translate, { min, max }: DeliveryDays): string {
  return min === max ? t('shipping.exactTime', { count: min }) : t('shipping.time', { min, max });
}
