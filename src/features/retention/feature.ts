import { MANAGER } from '../../admin/permissions.js';
import { isErased } from '../../shop/rules/contact.js';
import type { Feature } from '../feature.js';
import { applyRetention } from './apply-retention.js';
import { addCopyRoute } from './copy-customer-data.js';
import { addEraseRoutes, eraseForm } from './erase-routes.js';

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** A copy of one customer's personal data, and its erasure, on request or after the time of `PII_RETENTION_DAYS`. */
export const retention: Feature = {
  name: 'retention',
  place: 210,
  permissions: {
    'POST /admin/orders/:number/data': MANAGER,
    'POST /admin/orders/:number/erase': MANAGER,
  },
  addAdminRoutes(app) {
    addEraseRoutes(app);
    addCopyRoute(app);
  },
  adminOrderAction(i18n, record, admin) {
    if (isErased(record.order) || !admin.can('POST /admin/orders/:number/erase')) return undefined;
    return { view: '/retention/views/erase', model: eraseForm(i18n, record) };
  },
  loops: [{ name: 'retention', maxBatches: 1, pauseMs: TEN_MINUTES_MS, process: applyRetention }],
};
