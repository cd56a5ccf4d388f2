import { addSearchEngineRoutes } from '../../web/routes/search-engines.js';
import type { Feature } from '../feature.js';

/** `/robots.txt` and `/sitemap.xml`. */
export const searchEngines: Feature = { addRoutes: addSearchEngineRoutes };
