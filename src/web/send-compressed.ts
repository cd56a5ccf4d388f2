import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Sends XML that is kept as gzip. A client that does not accept gzip gets it decompressed. */
export async function sendCompressedXml(req: Request, res: Response, compressed: Buffer): Promise<void> {
  // Without it, proxies and browsers keep a copy for a time of their own.
  res.type('application/xml').vary('Accept-Encoding').set('Cache-Control', 'no-cache');
  if (req.acceptsEncodings('gzip') === 'gzip') {
    res.set('Content-Encoding', 'gzip').send(compressed);
    return;
  }
  await pipeline(Readable.from([compressed]), createGunzip(), res).catch(unlessClosed);
}

/** A client that closes the connection is no fault. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
