import type { Feature } from '../feature.js';
import { addSearchEngineRoutes } from './sitemap.js';

/** `/robots.txt` and `/sitemap.xml`. */
export const searchEngines: Feature = { addRoutes: addSearchEngineRoutes };
