import { STATUS_CODES } from 'node:http';
import type { RequestHandler } from 'express';

const MAX_HEADERS = 100;

/**
 * Refuses requests that Node accepts and that a proxy may read differently.
 * Answers 400 for two `Host` headers, of which Node uses the first. Answers 431 for more than 100 headers.
 * Node itself answers 431 above its limit in bytes.
 */
export const refuseMalformed: RequestHandler = (req, res, next) => {
  const status = statusFor(req.rawHeaders);
  if (status === undefined) {
    next();
    return;
  }
  res.status(status).set({ 'Cache-Control': 'no-store', Connection: 'close' });
  res.type('text').send(`${STATUS_CODES[status]}\n`);
};

/** `rawHeaders` alternates names and values. */
function statusFor(rawHeaders: readonly string[]): number | undefined {
  if (rawHeaders.length > MAX_HEADERS * 2) return 431;
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && /^host$/i.test(text));
  return hosts.length > 1 ? 400 : undefined;
}
