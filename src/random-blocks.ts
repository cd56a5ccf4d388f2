import { randomBytes } from 'node:crypto';
import type { Random } from '@tianguis/payments/rules';

const BLOCK_BYTES = 4_096;

/** Returns random bytes from a block that `node:crypto` fills: a call for each id would take 4 % of a checkout. */
export function randomFromBlocks(): Random {
  let block = randomBytes(BLOCK_BYTES);
  return (bytes) => {
    if (bytes > block.length) block = randomBytes(Math.max(bytes, BLOCK_BYTES));
    const taken = block.subarray(0, bytes);
    block = block.subarray(bytes);
    return taken;
  };
}
