import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { contactJobs } from './contact-mails.js';
import { addContactRoutes, contactPart } from './contact-routes.js';
import { findIdByFormerToken, isFormerEmail } from './repository.js';

/** The correction of the name, e-mail and phone of an order. */
export const contactChanges: Feature = {
  name: 'contact-changes',
  place: 45,
  permissions: {
    'POST /admin/orders/:number/contact': MANAGER,
  },
  addAdminRoutes: addContactRoutes,
  adminOrderSection: contactPart,
  provides: { findIdByFormerToken, isFormerEmail },
  jobs: contactJobs,
};
