/** The allowed changes of a fulfillment. Pure. */
import { FULFILLMENT_STATES, type FulfillmentState } from '../../shop/rules/fulfillment.js';
import { isOptionOffered, needsAddress, type ShippingOptionId } from '../../shop/rules/shipping.js';

/** How an order reaches its customer. `none`: nothing is shipped, such as a download. */
export type Delivery = 'shipping' | 'pickup' | 'none';

export function deliveryOf({ shippingOption }: { readonly shippingOption: ShippingOptionId }): Delivery {
  return needsAddress(shippingOption) ? 'shipping' : shippingOption;
}

/** The allowed changes, with corrections. `shipped` to `shipped` corrects the carrier or the tracking number. */
const CHANGES: Readonly<Record<Delivery, Readonly<Partial<Record<FulfillmentState, readonly FulfillmentState[]>>>>> = {
  shipping: {
    preparing: ['shipped', ...(isOptionOffered('pickup') ? (['picked_up'] as const) : [])],
    shipped: ['shipped', 'delivered', 'returned', 'preparing'],
    delivered: ['shipped', 'returned'],
    returned: ['shipped', 'preparing'],
    picked_up: ['preparing'],
  },
  pickup: { preparing: ['ready', 'picked_up'], ready: ['picked_up', 'preparing'], picked_up: ['ready', 'preparing'] },
  none: { preparing: ['delivered'], delivered: ['preparing'] },
};

export function nextStates(state: FulfillmentState, delivery: Delivery): readonly FulfillmentState[] {
  return CHANGES[delivery][state] ?? [];
}

/** Returns whether the change is a step back, which needs a reason: the customer may have a mail about the later state. */
export function isBackward(from: FulfillmentState, to: FulfillmentState): boolean {
  return FULFILLMENT_STATES.indexOf(to) < FULFILLMENT_STATES.indexOf(from);
}

/** In characters. */
export const FULFILLMENT_REASON_LIMIT = 200;
