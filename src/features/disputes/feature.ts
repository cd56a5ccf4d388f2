import { adminOf, MANAGER } from '../../admin/permissions.js';
import { pathTo } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { sendEvidence } from './evidence-page.js';
import { disputesPaths } from './paths.js';

/** A page to print with what the shop stored about an order, as evidence against a chargeback. */
export const disputes: Feature = {
  name: 'disputes',
  place: 125,
  adminRoutes: () => [
    // Personal data and payments on one page.
    { get: disputesPaths.evidence, roles: MANAGER, handler: sendEvidence },
  ],
  slots: {
    'admin-order.action': (res, { order }) => {
      if (!adminOf(res).can(`GET ${disputesPaths.evidence}`)) return undefined;
      return { view: '/disputes/views/link', model: { href: pathTo(disputesPaths.evidence, order) } };
    },
  },
};
