import type { IRouter } from 'express';
import { isPostalCodeOf, STATE_CODES } from '../../shop/rules/contact.js';
import { clientOf } from '../../web/client-address.js';
import type { WebContext } from '../../web/context.js';
import { limitRate } from '../../web/middleware/rate-limit.js';
import { cacheForAll } from '../../web/static-files.js';
import { postalCodesPaths } from './paths.js';
import { findPostalCode } from './repository.js';

/** High enough for the customers of a mobile network, who share one address. A copy of the whole file takes a day. */
export const LOOKUP_LIMIT = { name: 'postal_codes', max: 240, seconds: 600, keyOf: clientOf } as const;

/**
 * Adds `GET /postal-codes/:code`, which answers with JSON, the same for all customers. A code that the file does not have
 * is no error, because customers type such codes: its lists are empty. The state is the one that the forms accept.
 */
export function addPostalCodeRoute(app: IRouter, web: WebContext): void {
  app.get(postalCodesPaths.postalCode, limitRate(web, [LOOKUP_LIMIT]), async (req, res, next) => {
    const { code } = req.params;
    if (typeof code !== 'string' || !/^\d{5}$/.test(code)) return next('route');
    const { municipalities = [], neighborhoods = [] } = (await findPostalCode(web.checkout.db.queries, code)) ?? {};
    const state = STATE_CODES.find((each) => isPostalCodeOf(each, code));
    cacheForAll(res, false);
    res.json({ state, municipalities, neighborhoods });
  });
}
