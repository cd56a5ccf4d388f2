import { adminOf, MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { NOTE_FIELDS, REVERSAL_FIELDS } from './paid-outside-forms.js';
import { recordPayment, reversePayment } from './paid-outside-routes.js';
import { paidOutsideSection } from './paid-outside-section.js';
import { paidOutsidePaths } from './paths.js';

/** Unpaid orders that were paid in cash, by transfer or otherwise, and their reversal. */
export const paidOutside: Feature = {
  name: 'paid-outside',
  place: 105,
  forms: [NOTE_FIELDS, REVERSAL_FIELDS],
  adminRoutes: () => [
    { post: paidOutsidePaths.record, roles: MANAGER, handler: recordPayment },
    { post: paidOutsidePaths.reverse, roles: MANAGER, handler: reversePayment },
  ],
  slots: { 'admin-order.section': (res, record) => paidOutsideSection(contextOf(res), record, adminOf(res)) },
};
