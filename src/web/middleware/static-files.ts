import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Assets, Text } from '../assets.js';
import { packingFor } from '../packing.js';

const YEAR_S = 31_536_000;
const FIVE_MINUTES_S = 300;

/** Pictures, style and scripts. An address that names a version never changes and is kept for ever. */
export function staticFiles(assets: Assets): RequestHandler {
  const serve = express.static(assets.directory, {
    index: false,
    redirect: false,
    cacheControl: false,
    setHeaders: sameForEverybody,
  });
  return (req, res, next) => {
    const text = req.method === 'GET' || req.method === 'HEAD' ? assets.text(req.path) : undefined;
    if (text) sendText(text, req, res);
    // The disk is not asked about every page. The simulator's files lie beside the shop's and are no part of it.
    else if (assets.has(req.path)) serve(req, res, next);
    else next();
  };
}

function sendText({ type, etag, plain, packed }: Text, req: Request, res: Response): void {
  sameForEverybody(res);
  const packing = packingFor(req);
  if (packing) res.set('Content-Encoding', packing);
  res.vary('Accept-Encoding').set({ 'Content-Type': type, ETag: etag });
  if (req.fresh) res.status(304).end();
  else res.send(packing ? packed(packing) : plain);
}

/** A new cookie must not make a browser fetch it all again. */
function sameForEverybody(res: Response): void {
  res.removeHeader('Vary');
  res.removeHeader('Content-Language');
  res.removeHeader('X-Request-Id');
  const versioned = res.req.query['v'] !== undefined;
  res.set(
    'Cache-Control',
    versioned ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${FIVE_MINUTES_S}`,
  );
}
