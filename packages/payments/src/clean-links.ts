/** Links that a mail program or a sentence extended: `…/orders/TOKEN).` means `…/orders/TOKEN`. */
import type { RequestHandler, Response } from 'express';
import { linkedToken } from './rules/ids.js';

/**
 * Returns middleware that removes what follows the token of a link, and signs at the end of its path. Mount it before the
 * routes, which call {@link redirectToClean} for GET. `paths`: what stands before the token, such as `/orders`.
 */
export function cleanLinks(paths: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    req.url = cleanUrl(req.url, paths);
    next();
  };
}

/**
 * Redirects GET to the clean address of a link, with its query. Returns false if the request has this address, or another
 * method. `token`: that of the record, which the token of the path may lack the last sign of.
 */
export function redirectToClean(res: Response, token: string): boolean {
  const { baseUrl, method, originalUrl, params, url } = res.req;
  const clean = baseUrl + url.replace(String(params['token']), token);
  if (!['GET', 'HEAD'].includes(method) || clean === originalUrl) return false;
  res.redirect(303, clean);
  return true;
}

/** Reads the encoded text, because its escapes may be cut too. A token needs none. */
function cleanUrl(url: string, paths: readonly string[]): string {
  const start = paths.find((path) => url.startsWith(`${path}/`));
  const [, typed = '', rest = '', query = ''] =
    /^([^/?]*)([^?]*)(.*)$/s.exec(url.slice((start?.length ?? 0) + 1)) ?? [];
  const token = linkedToken(typed);
  if (start === undefined || token === '') return url;
  return `${start}/${token}${withoutSigns(rest)}${query}`;
}

function withoutSigns(path: string): string {
  const text = decode(path);
  const clean = text.replace(/[^\p{L}\p{N}]+$/u, '');
  return clean === text ? path : encodeURI(clean);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
