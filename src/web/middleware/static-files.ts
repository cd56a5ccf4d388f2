import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Assets } from '../assets.js';

const YEAR_S = 31_536_000;
const FIVE_MINUTES_S = 300;

/** Pictures, style and scripts. An address that names a version never changes and is kept for ever. */
export function staticFiles(assets: Assets): RequestHandler {
  const serve = express.static(assets.directory, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: (res: Response) => {
      // The same for every visitor: a new cookie must not make a browser fetch it all again.
      res.removeHeader('Vary');
      res.removeHeader('Content-Language');
      res.set('Cache-Control', cachingFor(res.req));
    },
  });
  return (req, res, next) => {
    // The simulator's files lie beside the shop's and are no part of it.
    if (req.path.startsWith('/simulator/')) next();
    else serve(req, res, next);
  };
}

function cachingFor(req: Request): string {
  const versioned = req.query['v'] !== undefined;
  return versioned ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${FIVE_MINUTES_S}`;
}
