/** The allowed changes of a fulfillment. Pure. */
import type { ShippingKind } from '../../shop/rules/frozen-shipping.js';
import { FULFILLMENT_STATES, type FulfillmentState } from '../../shop/rules/fulfillment.js';

/** The allowed changes, with corrections. `shipped` to `shipped` corrects the carrier or the tracking number. */
const CHANGES: Readonly<
  Record<ShippingKind, Readonly<Partial<Record<FulfillmentState, readonly FulfillmentState[]>>>>
> = {
  delivery: {
    preparing: ['shipped', 'picked_up'],
    shipped: ['shipped', 'delivered', 'returned', 'preparing'],
    delivered: ['shipped', 'returned'],
    returned: ['shipped', 'preparing'],
    picked_up: ['preparing'],
  },
  pickup: { preparing: ['ready', 'picked_up'], ready: ['picked_up', 'preparing'], picked_up: ['ready', 'preparing'] },
  none: { preparing: ['delivered'], delivered: ['preparing'] },
};

export function nextStates(state: FulfillmentState, kind: ShippingKind): readonly FulfillmentState[] {
  return CHANGES[kind][state] ?? [];
}

/** Returns whether the change is a step back, which needs a reason: the customer may have a mail about the later state. */
export function isBackward(from: FulfillmentState, to: FulfillmentState): boolean {
  return FULFILLMENT_STATES.indexOf(to) < FULFILLMENT_STATES.indexOf(from);
}
