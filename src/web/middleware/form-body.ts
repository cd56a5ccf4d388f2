import express, { type RequestHandler } from 'express';
import { ShopError } from '../../domain/shop-error.js';

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
