/**
 * Prefetch of the page that a customer is about to open, by browsers with speculation rules. A prefetched page is at most 5 min
 * old when it is shown. Cart and placing read the current values.
 */
import type { IRouter, RequestHandler } from 'express';
import type { Config } from '../../config/config.js';
import { localePath } from '../locale-path.js';
import { paths } from '../paths.js';

/** The catalog with any query string, and products. Other pages are personal, or change something. */
const PREFETCHED = [paths.home, paths.product.replace(/:.*/, '*')];

/** Adds the rules as a file, because the Content-Security-Policy refuses them inside a page. */
export function addPrefetchRules(app: IRouter, { locales }: Pick<Config, 'locales'>): void {
  const patterns = locales.flatMap((locale) => PREFETCHED.map((path) => localePath(locales, locale, path)));
  const rules = JSON.stringify({ prefetch: [{ where: { href_matches: patterns }, eagerness: 'moderate' }] });
  app.get(paths.prefetchRules, (_req, res) => {
    res.set('Cache-Control', 'public, max-age=3600').type('application/speculationrules+json').send(rules);
  });
}

export const offerPrefetch: RequestHandler = (_req, res, next) => {
  res.set('Speculation-Rules', `"${paths.prefetchRules}"`);
  next();
};

/** Makes the browser discard prefetched pages, which show the number of pieces in the cart from before. */
export const discardPrefetched: RequestHandler = (req, res, next) => {
  if (req.method === 'POST') res.set('Clear-Site-Data', '"prefetchCache"');
  next();
};
