import { MANAGER } from '../../admin/permissions.js';
import type { Feature } from '../feature.js';
import { FEED_LIMITS } from './feed-item.js';
import { feedRoutes, redirectToFeed } from './feed-routes.js';
import { productFeedPaths } from './paths.js';

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
  routes: feedRoutes,
  adminRoutes: () => [
    {
      get: productFeedPaths.link,
      roles: MANAGER,
      handler: redirectToFeed,
      link: { on: 'shop', label: (t) => t('productFeed.link', { limit: FEED_LIMITS.id }) },
    },
  ],
};
