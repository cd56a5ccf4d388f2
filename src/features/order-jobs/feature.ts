import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { addJobRoutes, jobList } from './job-routes.js';

/** The mails and hooks of an order on its page in the back office, with their retry. */
export const orderJobs: Feature = {
  name: 'order-jobs',
  place: 120,
  permissions: {
    'POST /admin/orders/:number/jobs': MANAGER,
  },
  addAdminRoutes: addJobRoutes,
  async adminOrderSection(context, record) {
    return { view: '/order-jobs/views/jobs', place: 'below', model: await jobList(context, record) };
  },
};
