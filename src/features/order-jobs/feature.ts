import { MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { jobList, repeatJob } from './job-routes.js';
import { orderJobsPaths } from './paths.js';

/** The mails and hooks of an order on its page in the back office, with their retry. */
export const orderJobs: Feature = {
  name: 'order-jobs',
  place: 120,
  adminRoutes: () => [{ post: orderJobsPaths.retryJob, roles: MANAGER, handler: repeatJob }],
  slots: {
    'admin-order.section': async (res, record) => {
      return { view: '/order-jobs/views/jobs', place: 'below', model: await jobList(contextOf(res), record) };
    },
  },
};
