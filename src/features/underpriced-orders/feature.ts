import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { underpricedOrdersPaths } from './paths.js';
import { endLinks } from './routes.js';
import { endedText, underpricedSection } from './section.js';

/** Unpaid orders that froze a lower price than the present one, for example because the former price was a mistake. */
export const underpricedOrders: Feature = {
  name: 'underpriced-orders',
  place: 162,
  needs: ['products'],
  provides: { underpricedOrders: { section: underpricedSection, endedText } },
  adminRoutes: () => [{ post: underpricedOrdersPaths.endLinks, roles: MANAGER, handler: endLinks }],
};
