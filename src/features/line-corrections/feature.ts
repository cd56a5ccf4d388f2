import { adminOf, MANAGER } from '../../admin/permissions.js';
import { pathTo } from '../../web/paths.js';
import type { Feature } from '../feature.js';
import { saveLines, sendLines } from './line-correction-routes.js';
import { lineCorrectionsPaths } from './paths.js';

/** The correction of the lines of an unpaid order: a new order takes its place. */
export const lineCorrections: Feature = {
  name: 'line-corrections',
  place: 46,
  needs: ['merchant-orders'],
  adminRoutes: () => [
    { get: lineCorrectionsPaths.lines, roles: MANAGER, handler: sendLines },
    { post: lineCorrectionsPaths.lines, roles: MANAGER, handler: saveLines },
  ],
  slots: {
    'admin-order.action': (res, { order }) => {
      const isOpen = order.state !== 'paid' && order.supersededBy === null;
      if (!isOpen || !adminOf(res).can(`GET ${lineCorrectionsPaths.lines}`)) return undefined;
      return { view: '/line-corrections/views/link', model: { href: pathTo(lineCorrectionsPaths.lines, order) } };
    },
  },
};
