/**
 * Returns this many random bytes. Tests replace it, so that a seed repeats a run. Passwords, salts, second factors, session
 * secrets and links to forms use `node:crypto` directly, so that nothing can replace their source.
 */
export type Random = (bytes: number) => Uint8Array;

/** Returns a random number from 0 to less than 1, for jitter. */
export function randomFraction(random: Random): number {
  return random(4).reduce((rest, byte) => (rest + byte) / 256, 0);
}
