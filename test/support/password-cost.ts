import type { ScryptOptions } from 'node:crypto';
import { hashing, LOW_COST } from '../../src/admin/credentials.js';

/** Hashes passwords in 4 ms in place of 250 ms. */
export function hashCheaply(): void {
  hashing.cost = LOW_COST;
}

/** Hashes passwords at another cost until it is disposed of. */
export function withCost(cost: ScryptOptions): Disposable {
  hashing.cost = cost;
  return { [Symbol.dispose]: hashCheaply };
}
