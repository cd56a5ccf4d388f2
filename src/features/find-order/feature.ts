import { paths } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { findOrderRoutes } from './find-order-routes.js';
import { orderLinkJobs } from './mail-order-link.js';

/** The page that mails the links of lost orders to the customer. */
export const findOrder: Feature = {
  name: 'find-order',
  place: 20,
  limits: ['find_address', 'find_order', 'find_mailbox', 'find_all'],
  routes: findOrderRoutes,
  footLink: { href: paths.orders, label: (t) => t('findOrder.link') },
  jobs: orderLinkJobs,
};
