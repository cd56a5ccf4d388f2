import { createHash } from 'node:crypto';

/** Returns a source of random bytes that gives the same bytes for the same seed. */
export function seededRandom(seed: string): (bytes: number) => Buffer {
  let count = 0;
  return (bytes) => {
    count += 1;
    return createHash('shake256', { outputLength: bytes }).update(`${seed} ${count}`).digest();
  };
}
