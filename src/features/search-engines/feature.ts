import type { Feature } from '../feature.js';
import { head, productData } from './page-data.js';
import { searchEngineRoutes } from './sitemap.js';

/** `/robots.txt` and `/sitemap.xml`, and the data of public pages. */
export const searchEngines: Feature = {
  name: 'search-engines',
  place: 200,
  provides: { seo: { head, productData } },
  routes: searchEngineRoutes,
};
