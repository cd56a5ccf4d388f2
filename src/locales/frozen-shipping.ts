/** The shipping of a placed order, in the words that the order froze. */

import { type FrozenShipping, shippingKindOf } from '../shop/rules/frozen-shipping.js';
import { daysText } from './delivery-days.js';
import type { I18n } from './i18n.js';
import type { Translate } from './translations.js';

/** Returns the label of the shipping option, as the customer chose it. */
export function shippingLabel(t: Translate, order: FrozenShipping): string {
  return order.shippingLabel ?? t(`shipping.kinds.${shippingKindOf(order)}`);
}

/** Returns when the order arrives, as a sentence. `undefined`: the shop stated no days. */
export function promisedTime({ t }: Pick<I18n, 't'>, order: FrozenShipping): string | undefined {
  const { shippingDaysMin: min, shippingDaysMax: max } = order;
  return min === null || max === null ? undefined : daysText(t, { min, max });
}
