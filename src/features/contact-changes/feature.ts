import { adminOf, MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { contactJobs } from './contact-mails.js';
import { contactPart, saveContact } from './contact-routes.js';
import { contactChangesPaths } from './paths.js';
import { findIdByFormerToken, isFormerEmail } from './repository.js';

/** The correction of the name, e-mail and phone of an order. */
export const contactChanges: Feature = {
  name: 'contact-changes',
  place: 45,
  adminRoutes: () => [{ post: contactChangesPaths.contact, roles: MANAGER, handler: saveContact }],
  slots: { 'admin-order.section': (res, record) => contactPart(contextOf(res), record, adminOf(res)) },
  provides: { findIdByFormerToken, isFormerEmail },
  jobs: contactJobs,
};
