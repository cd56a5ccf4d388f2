import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request } from 'express';

/** The ways a body may travel, the smallest first. */
const WAYS = ['br', 'gzip'] as const;
export type Packing = (typeof WAYS)[number];

/** Beyond this the last bytes cost more time than they save. */
const BROTLI_QUALITY = 5;

/** A body in a way it may travel. */
export type Packed = (way: Packing) => Buffer;

const PACKERS = {
  br: (body: Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => gzipSync(body),
};

/** Packs a body when somebody first asks for it, in each way once. */
export function pack(body: Buffer): Packed {
  const made = new Map<Packing, Buffer>();
  return (way) => {
    const packed = made.get(way) ?? PACKERS[way](body);
    made.set(way, packed);
    return packed;
  };
}

/** The smallest packing that the visitor's browser opens, if any. */
export function packingFor(req: Request): Packing | undefined {
  return WAYS.find((way) => req.acceptsEncodings(way) === way);
}
