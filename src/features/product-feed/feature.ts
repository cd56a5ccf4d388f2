import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { FEED_LIMITS } from './feed-item.js';
import { addFeedRoutes } from './feed-routes.js';
import { feedPath, productFeedPaths } from './paths.js';

/** `/feeds/products.xml`: the products for shopping pages and ads of Google and Meta. */
export const productFeed: Feature = {
  name: 'product-feed',
  place: 201,
  shopSettings: [
    {
      name: 'product-feed.no-identifiers',
      kind: 'switch',
      label: (t) => t('productFeed.noIdentifiers'),
      hint: (t) => t('productFeed.noIdentifiersHint'),
      valueOf: ({ hasNoIdentifiers }) => hasNoIdentifiers,
      toConfig: (hasNoIdentifiers) => ({ hasNoIdentifiers }),
    },
  ],
  permissions: { 'GET /admin/product-feed': MANAGER },
  adminLinks: [
    { on: 'shop', href: productFeedPaths.link, label: (t) => t('productFeed.link', { limit: FEED_LIMITS.id }) },
  ],
  addRoutes: addFeedRoutes,
  addAdminRoutes(app, { config: { locales } }) {
    app.get(productFeedPaths.link, (_req, res) => res.redirect(303, feedPath(locales, locales[0])));
  },
};
