import type { Order } from '../../db/orders.js';
import { isPayableAt, type PaymentFlow } from '../../payments/rules/index.js';
import type { Feature } from '../feature.js';
import { payLinkPath } from './paths.js';
import { addPayLinkRoutes } from './pay-routes.js';

/** An order is paid from its link, on any device. */
export const payLink: Feature = {
  name: 'pay-link',
  place: 10,
  provides: { payPath },
  addRoutes: addPayLinkRoutes,
};

function payPath(order: Order, at: number, flow?: PaymentFlow): string | undefined {
  if (!isPayableAt(order, at)) return undefined;
  return flow === 'card' ? `${payLinkPath(order)}/card` : payLinkPath(order);
}
