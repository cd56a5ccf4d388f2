import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request } from 'express';

/** The ways a body may travel, the smallest first. */
const WAYS = ['br', 'gzip'] as const;
export type Packing = (typeof WAYS)[number];

/** Beyond this the last bytes cost more time than they save. */
const BROTLI_QUALITY = 5;

/** A body in each way it may travel, made once. */
export type Packed = Readonly<Record<Packing, Buffer>>;

export function pack(body: Buffer): Packed {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return { br: brotliCompressSync(body, { params }), gzip: gzipSync(body) };
}

/** The smallest packing that the visitor's browser opens, if any. */
export function packingFor(req: Request): Packing | undefined {
  return WAYS.find((way) => req.acceptsEncodings(way) === way);
}
