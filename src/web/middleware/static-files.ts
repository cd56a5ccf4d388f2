import express, { type RequestHandler, type Response } from 'express';

const YEAR_S = 31_536_000;
const FIVE_MINUTES_S = 300;

/** Serves static files. A URL with a fingerprint is cached for 1 year, any other for 5 minutes. */
export function staticFiles(directory: string): RequestHandler {
  return express.static(directory, { index: false, redirect: false, cacheControl: false, setHeaders });
}

function setHeaders(res: Response): void {
  // These headers vary by customer and request. With `Vary`, a new cookie would cause a second download.
  for (const name of ['Vary', 'Content-Language', 'X-Request-Id']) res.removeHeader(name);
  const hasFingerprint = res.req.query['v'] !== undefined;
  res.set(
    'Cache-Control',
    hasFingerprint ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${FIVE_MINUTES_S}`,
  );
}
