import { adminOf, MANAGER } from '../../admin/permissions.js';
import { isErased } from '../../shop/rules/contact.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { applyRetention } from './apply-retention.js';
import { sendCopy } from './copy-customer-data.js';
import { eraseData, eraseForm } from './erase-routes.js';
import { retentionPaths } from './paths.js';

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** A copy of one customer's personal data, and its erasure, on request or after the time of `PII_RETENTION_DAYS`. */
export const retention: Feature = {
  name: 'retention',
  place: 210,
  adminRoutes: () => [
    { post: retentionPaths.eraseCustomer, roles: MANAGER, handler: eraseData },
    // A copy is recorded, so it is a post.
    { post: retentionPaths.copyOfData, roles: MANAGER, handler: sendCopy },
  ],
  slots: {
    'admin-order.action': (res, record) => {
      if (isErased(record.order) || !adminOf(res).can(`POST ${retentionPaths.eraseCustomer}`)) return undefined;
      return { view: '/retention/views/erase', model: eraseForm(contextOf(res), record) };
    },
  },
  loops: () => [{ name: 'retention', maxBatches: 1, pauseMs: TEN_MINUTES_MS, process: applyRetention }],
};
