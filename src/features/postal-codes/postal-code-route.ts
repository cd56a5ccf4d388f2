import type { NextFunction, Request, Response } from 'express';
import { isPostalCodeOf, STATE_CODES } from '../../shop/rules/contact.js';
import { clientOf } from '../../web/client-address.js';
import { contextOf } from '../../web/request-context.js';
import { cacheForAll } from '../../web/static-files.js';
import { findPostalCode } from './repository.js';

/** High enough for the customers of a mobile network, who share one address. A copy of the whole file takes a day. */
export const LOOKUP_LIMIT = { name: 'postal_codes', max: 240, seconds: 600, keyOf: clientOf } as const;

/**
 * Answers with JSON about a postal code, the same for all customers. A code that the file does not have is no error, because
 * customers type such codes: its lists are empty. The state is the one that the forms accept.
 */
export async function sendPostalCode(req: Request, res: Response, next: NextFunction): Promise<void> {
  const { code } = req.params;
  if (typeof code !== 'string' || !/^\d{5}$/.test(code)) return next('route');
  const found = await findPostalCode(contextOf(res).checkout.db.queries, code);
  const { municipalities = [], neighborhoods = [] } = found ?? {};
  const state = STATE_CODES.find((each) => isPostalCodeOf(each, code));
  cacheForAll(res, false);
  res.json({ state, municipalities, neighborhoods });
}
