/** What an order freezes of its shipping option. Nothing about a placed order reads the shipping rules. */

import type { Centavos } from '@tianguis/payments/rules';

/** How an order reaches its customer. `none`: nothing is shipped, such as a download. */
export type ShippingKind = 'delivery' | 'pickup' | 'none';

/** Columns of an order. A process of the version before writes the id alone, so the others may be null. */
export interface FrozenShipping {
  /** The id of the option. */
  shippingOption: string;
  /** In the locale of the order. */
  shippingLabel: string | null;
  shippingKind: ShippingKind | null;
  /** 0: free. */
  shippingPrice: Centavos | null;
  /** Business days from the payment to the delivery. Null: the shop stated none. */
  shippingDaysMin: number | null;
  shippingDaysMax: number | null;
}

/** Returns the kind of a placed order. In the version before, each option was a delivery but these two. */
export function shippingKindOf(order: Pick<FrozenShipping, 'shippingOption' | 'shippingKind'>): ShippingKind {
  const { shippingOption: id, shippingKind } = order;
  return shippingKind ?? (id === 'pickup' || id === 'none' ? id : 'delivery');
}
