import { FULFILLMENT } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addressJobs } from './address-mails.js';
import { addressPart, saveAddress } from './address-routes.js';
import { addressChangesPaths } from './paths.js';

/** The correction of the delivery address of a paid order, until the order is shipped. */
export const addressChanges: Feature = {
  name: 'address-changes',
  place: 50,
  adminRoutes: () => [{ post: addressChangesPaths.address, roles: FULFILLMENT, handler: saveAddress }],
  async adminOrderSection(context, record, { can }) {
    const model = await addressPart(context, record, can(`POST ${addressChangesPaths.address}`));
    return { view: '/address-changes/views/address', place: 'address', model };
  },
  jobs: addressJobs,
};
