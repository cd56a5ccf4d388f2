import { parse } from 'node:querystring';
import { plainText } from '@tianguis/payments/rules';
import express, { type Request, type RequestHandler } from 'express';
import { ShopError } from '../shop/rules/shop-error.js';

/** A Spanish text of 20,000 characters has up to 50 KB. */
const BODY_LIMIT = '64kb';
/** The form of 21 variants has about 250 with two locales. The size limits what is parsed. */
const MAX_FIELDS = 300;

/** Whether the handler of a route reads the body itself, after the roles were checked. */
interface FormRoute {
  readonly post?: string;
  readonly upload?: boolean;
}

/** Throws `unsupported_type` for a body that is no form, unless it is an upload: its route reads the body itself. */
function requireForm(routes: readonly FormRoute[]): RequestHandler {
  const uploads = routes.flatMap(({ post = '', upload }) =>
    upload ? new RegExp(`^${post.replaceAll(/:\w+/g, '[^/]+')}$`) : [],
  );
  return ({ body, headers, path }, _res, next) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isRefused = body === undefined && hasBody && !uploads.some((upload) => upload.test(path));
    next(isRefused ? new ShopError('unsupported_type') : undefined);
  };
}

/** PostgreSQL cannot store NUL, and no browser sends one. */
const refuseNul: RequestHandler = (req, _res, next) => {
  const isRefused = req.originalUrl.includes('%00') || Object.entries(fieldsOf(req)).flat(2).join('').includes('\0');
  next(isRefused ? new ShopError('bad_request') : undefined);
};

const PASSWORD = /(?:^|_)password(?:_again)?$/;

/** Returns whether a field holds a password, which may have any characters. */
export function isPassword(name: string): boolean {
  return PASSWORD.test(name);
}

/** Makes the texts of parsed fields plain, except passwords. Changes the object, which has no prototype. */
export function makePlain(fields: Record<string, unknown>): Fields {
  for (const [name, value] of Object.entries(fields)) {
    if (isPassword(name)) continue;
    if (typeof value === 'string') fields[name] = plainText(value);
    if (Array.isArray(value)) fields[name] = value.map(plainText);
  }
  return fields;
}

/** Makes the fields of the posted form plain. */
const plainForm: RequestHandler = (req, _res, next) => {
  if (req.body !== undefined) makePlain(req.body);
  next();
};

/** Parses the parameters of an address, with plain texts. A repeated one is an array. */
export function parseQuery(query: string | undefined): Fields {
  return makePlain(parse(query ?? ''));
}

/**
 * Parses URL-encoded forms of at most 64 KB and 300 fields into plain texts. Throws `unsupported_type` for any other body, except
 * on the paths of uploads, and `bad_request` for a NUL character in address or form.
 */
export function formBody(routes: readonly FormRoute[]): readonly RequestHandler[] {
  return [
    express.urlencoded({ extended: false, limit: BODY_LIMIT, parameterLimit: MAX_FIELDS }),
    requireForm(routes),
    plainForm,
    refuseNul,
  ];
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

/** Returns the page number in the URL, from 1. Invalid values are ignored. */
export function readPageNumber({ query: { page } }: Request): number {
  return typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
}

const LONGEST_SEARCH = 80;

/** Returns the text of a search. Control characters and more than 80 characters are ignored. */
export function readSearchText(value: unknown): string {
  return readText(value)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
}

export function postedText(req: Request, name: string): string {
  return readText(fieldsOf(req)[name]);
}
