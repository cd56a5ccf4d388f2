import express, { type Request, type RequestHandler } from 'express';
import { ShopError } from '../domain/shop-error.js';

const BODY_LIMIT = '24kb';
const MAX_FIELDS = 60;

/** Parses URL-encoded forms of at most 24 KB and 60 fields. Throws `unsupported_type` for any other body. */
export function formBody(): RequestHandler[] {
  const parse = express.urlencoded({ extended: false, limit: BODY_LIMIT, parameterLimit: MAX_FIELDS });
  return [parse, requireForm];
}

const requireForm: RequestHandler = (req, _res, next) => {
  const hasOtherBody = req.body === undefined && hasBody(req.headers);
  if (req.method === 'POST') req.body ??= {};
  next(hasOtherBody ? new ShopError('unsupported_type') : undefined);
};

function hasBody(headers: { readonly [name: string]: unknown }): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The fields of a posted form, or the parameters of a URL. Repeated ones arrive as arrays. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of the posted form. A request without a form has none. */
export function fieldsOf(req: Request): Fields {
  return (req.body ?? {}) as Fields;
}

/** Returns a field or parameter as text. Repeated ones arrive as arrays and count as empty. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a posted field as text. */
export function postedText(req: Request, name: string): string {
  return readText(fieldsOf(req)[name]);
}
