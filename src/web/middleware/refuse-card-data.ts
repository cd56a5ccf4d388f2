import { holdsCardNumber, RETURN_PARAMETER, readCardTokens } from '@tianguis/payments/rules';
import type { RequestHandler, Response } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findProductKeys } from '../../tables/products.js';
import { fieldsOf, isPassword } from '../form-body.js';
import { adminPaths, paths } from '../paths.js';
import { contextOf } from '../request-context.js';

/** Parameters of a return: that of the shop, and those that the gateway and the banks add. */
const RETURN_IDS: readonly string[] = [RETURN_PARAMETER, 'session_id', 'tndr_payment_id'];
const SECURITY_CODE_FIELD = /^(?:cvv|cvv2|cvc|cvc2|csc|security_code)$/i;

/**
 * Throws `card_data_refused` for a possible card number in any field, or a security code in a card field. Ids and slugs of
 * products may be barcodes, which pass as card numbers. A password may have any digits, and only its hash is stored. The
 * fields in `skipped` are not checked, because their form shows the error at the field. The request is not stored.
 */
export function refuseCardData(skipped: readonly string[] = []): RequestHandler {
  return async (req, res, next) => {
    const posted = fieldsOf(req);
    const isTokenized = readCardTokens(posted) !== undefined;
    const checked = Object.entries(posted).filter(
      ([name, value]) =>
        !skipped.includes(name) &&
        !isPassword(name) &&
        !(isTokenized && name === 'card_number') &&
        !isBarcodeOfNewProduct(name, value),
    );
    if (hasSecurityCode(checked) || (await holdsCardNumberIn(res, textsOf(checked))))
      throw new ShopError('card_data_refused');
    next();
  };
}

/** Same check for the URL. Mounted before any body is read. */
export const refuseCardDataInUrl: RequestHandler = async (req, res, next) => {
  const { path, originalUrl, query } = req;
  const parameters = Object.entries(query);
  const ids = gatewayIdsOf(path);
  const others = parameters.filter(([name]) => !ids.includes(name));
  const texts = ids.length === 0 ? [decode(originalUrl)] : [decode(path), ...textsOf(others)];
  if (hasSecurityCode(others) || (await holdsCardNumberIn(res, texts))) throw new ShopError('card_data_refused');
  next();
};

/** The id of a new product, or of a variant that is added, is in no table yet. */
function isBarcodeOfNewProduct(name: string, value: unknown): boolean {
  return (
    ['id', 'id-new'].includes(name) &&
    typeof value === 'string' &&
    /^\s*\d{13,14}(?:[-_][a-z][\w-]{0,50})?\s*$/i.test(value)
  );
}

/** Returns the parameters of a path that may hold ids of the gateway, which may have the form of card numbers. */
function gatewayIdsOf(path: string): readonly string[] {
  if (path.startsWith(`${paths.paymentReturns}/`)) return RETURN_IDS;
  // The list of orders and its file are searched by these ids too. They neither store nor log the text.
  return path.split('.', 1)[0] === adminPaths.orders ? ['q'] : [];
}

type Field = readonly [name: string, value: unknown];

/** What may be the id or slug of a product. Its digits may complete a card number with those beside it. */
const PRODUCT_KEY = /[\w-]{6,100}/g;
const MAX_PRODUCT_KEYS = 50;

/** Returns whether a text has a possible card number that is no product's id or slug. Reads the database only for such texts. */
async function holdsCardNumberIn(res: Response, texts: readonly string[]): Promise<boolean> {
  const suspects = texts.filter(holdsCardNumber);
  const words = suspects.flatMap((text) => text.match(PRODUCT_KEY) ?? []);
  if (suspects.length === 0 || words.length === 0) return suspects.length > 0;
  const candidates = [...new Set(words)].slice(0, MAX_PRODUCT_KEYS);
  const keys = await findProductKeys(contextOf(res).checkout.db.queries, candidates);
  return suspects.some((text) => holdsCardNumber(text.replace(PRODUCT_KEY, (word) => (keys.has(word) ? 'x' : word))));
}

/** Returns names and values. */
function textsOf(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(([name, value]) => [name, ...valuesOf(value)]);
}

function hasSecurityCode(fields: readonly Field[]): boolean {
  return fields.some(
    ([name, value]) =>
      SECURITY_CODE_FIELD.test(name) && valuesOf(value).some((text) => /^\s*\d{3,4}\s*$/.test(text.normalize('NFKC'))),
  );
}

function valuesOf(value: unknown): readonly string[] {
  return [value].flat().map(String);
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}
