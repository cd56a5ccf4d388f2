import { isPayableAt } from '@tianguis/payments/rules';
import type { Order } from '../../tables/orders.js';
import { type FlowPages, formPathOf } from '../../web/flow-pages.js';
import type { Feature } from '../feature.js';
import { payLinkPath } from './paths.js';
import { payLinkRoutes } from './pay-routes.js';

/** An order is paid from its link, on any device. */
export const payLink: Feature = {
  name: 'pay-link',
  place: 10,
  provides: { payPath },
  routes: payLinkRoutes,
};

function payPath(order: Order, at: number, flow?: FlowPages): string | undefined {
  if (!isPayableAt(order, at)) return undefined;
  const path = payLinkPath(order);
  return flow ? formPathOf(flow, path) : path;
}
