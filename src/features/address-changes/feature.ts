import { adminOf, FULFILLMENT } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { addressJobs } from './address-mails.js';
import { addressPart, saveAddress } from './address-routes.js';
import { addressChangesPaths } from './paths.js';

/** The correction of the delivery address of a paid order, until the order is shipped. */
export const addressChanges: Feature = {
  name: 'address-changes',
  place: 50,
  adminRoutes: () => [{ post: addressChangesPaths.address, roles: FULFILLMENT, handler: saveAddress }],
  slots: {
    'admin-order.section': async (res, record) => {
      const mayCorrect = adminOf(res).can(`POST ${addressChangesPaths.address}`);
      const model = await addressPart(contextOf(res), record, mayCorrect);
      return { view: '/address-changes/views/address', place: 'address', model };
    },
  },
  jobs: addressJobs,
};
