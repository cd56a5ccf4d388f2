import type { Request, RequestHandler } from 'express';
import { holdsCardNumber, readCardTokens } from '../../domain/card-data.js';
import { CONTACT_FIELD_NAMES } from '../../domain/contact.js';
import { ShopError } from '../../domain/shop-error.js';
import { fieldsOf } from '../form-body.js';
import { adminPaths, paths } from '../paths.js';

/**
 * Tracking numbers often contain a valid check digit. They, notes of decisions and reasons are checked by their own forms. A password may have any digits, and only its hash is stored.
 */
const ANSWERED_AT_THE_FIELD: readonly string[] = [
  ...CONTACT_FIELD_NAMES,
  'rfc',
  'registered_name',
  'tax_regime',
  'cfdi_use',
  'tracking_number',
  'decision_note',
  'reason',
  'shipment_reason',
  'fulfillment_reason',
  'cancel_text',
  'order_note',
  'form_key',
  'password',
];
/** Parameters of a return that the gateway and the banks add. */
const RETURN_IDS: readonly string[] = ['session_id', 'tndr_payment_id'];
/** The search for orders, also by ids of the gateway. It neither stores nor logs its text. */
const SEARCHES: readonly string[] = [adminPaths.orders, adminPaths.ordersCsv];
/** The cart's form names its fields by product ids, which may be barcodes. It neither stores nor logs an unknown id. */
const CART_FIELD = /^quantity\[/;
const SECURITY_CODE_FIELD = /^(?:cvv|cvv2|cvc|cvc2|csc|security_code)$/i;

/**
 * Throws `card_data_refused` for a possible card number in any field, or a security code in a card field.
 * Fields whose form shows the error at the field are skipped. The request is not stored.
 */
export const refuseCardData: RequestHandler = (req, _res, next) => {
  const posted = fieldsOf(req);
  const isTokenized = readCardTokens(posted) !== undefined;
  const checked = Object.entries(posted).filter(
    ([name]) => !ANSWERED_AT_THE_FIELD.includes(name) && !(isTokenized && name === 'card_number'),
  );
  const isRefused = holdsCardNumberIn(checked) || hasSecurityCode(checked);
  next(isRefused ? new ShopError('card_data_refused') : undefined);
};

/** Same check for the URL. Mounted before any body is read. */
export const refuseCardDataInUrl: RequestHandler = (req, _res, next) => {
  next(hasCardDataInUrl(req) ? new ShopError('card_data_refused') : undefined);
};

function hasCardDataInUrl({ path, originalUrl, query }: Request): boolean {
  const parameters = Object.entries(query);
  const ids = gatewayIdsOf(path);
  if (ids.length === 0) return holdsCardNumber(decode(originalUrl)) || hasSecurityCode(parameters);
  const others = parameters.filter(([name]) => !ids.includes(name));
  return holdsCardNumber(decode(path)) || holdsCardNumberIn(others) || hasSecurityCode(others);
}

/** Returns the parameters of a path that may hold ids of the gateway, which may have the form of card numbers. */
function gatewayIdsOf(path: string): readonly string[] {
  if (path.startsWith(`${paths.paymentReturns}/`)) return RETURN_IDS;
  return SEARCHES.includes(path) ? ['q'] : [];
}

type Field = readonly [name: string, value: unknown];

function holdsCardNumberIn(fields: readonly Field[]): boolean {
  return fields.some(
    ([name, value]) => (!CART_FIELD.test(name) && holdsCardNumber(name)) || textsOf(value).some(holdsCardNumber),
  );
}

function hasSecurityCode(fields: readonly Field[]): boolean {
  return fields.some(
    ([name, value]) =>
      SECURITY_CODE_FIELD.test(name) && textsOf(value).some((text) => /^\s*\d{3,4}\s*$/.test(text.normalize('NFKC'))),
  );
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().map(String);
}

function decode(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}
