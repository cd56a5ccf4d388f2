import { isPayableAt } from '../../payments/rules/index.js';
import { payLinkPath } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { addPayLinkRoutes } from './pay-routes.js';

/** An order is paid from its link, on any device. */
export const payLink: Feature = {
  addRoutes: addPayLinkRoutes,
  payPath(order, at, flow) {
    if (!isPayableAt(order, at)) return undefined;
    return flow === 'card' ? `${payLinkPath(order)}/card` : payLinkPath(order);
  },
};
