import type { Request, RequestHandler } from 'express';
import { holdsCardNumber, readCardTokens } from '../../core/card-data.js';
import { ShopError } from '../../core/shop-error.js';

/**
 * Refuses whatever looks like a card number, in the address or in a field, and a bare security code in a card field.
 * The contact fields answer for themselves, at the field. Nothing of the request is kept.
 */
export const refuseCardData: RequestHandler = (req, _res, next) => {
  next(hasCardDataInUrl(req) || hasCardDataInBody(req) ? new ShopError('card_data_refused') : undefined);
};

/** The same for addresses only, before any body is read. */
export const refuseCardDataInUrl: RequestHandler = (req, _res, next) => {
  next(hasCardDataInUrl(req) ? new ShopError('card_data_refused') : undefined);
};

const ANSWERED_AT_THE_FIELD: readonly string[] = ['first_name', 'last_name', 'email'];
const SECURITY_CODE_FIELD = /^(?:cvv|cvv2|cvc|cvc2|csc|security_code)$/i;

function hasCardDataInUrl(req: Request): boolean {
  return holdsCardNumber(decode(req.originalUrl));
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

function hasCardDataInBody(req: Request): boolean {
  const fields = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const tokenised = readCardTokens(fields) !== undefined;
  return Object.entries(fields).some(([name, value]) => {
    if (ANSWERED_AT_THE_FIELD.includes(name) || (tokenised && name === 'card_number')) return false;
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return holdsCardNumber(name) || texts.some((text) => holdsCardNumber(text) || isSecurityCode(name, text));
  });
}

function isSecurityCode(name: string, text: string): boolean {
  return SECURITY_CODE_FIELD.test(name) && /^\s*\d{3,4}\s*$/.test(text);
}
