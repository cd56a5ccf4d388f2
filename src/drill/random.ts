/** Chance that can be played again: the same seed gives the same drill. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** One of some; throws when there is none. */
  pick<const T>(choices: readonly T[]): T;
}

/** Mulberry32: small, even, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(choices) {
      const index = below(choices.length);
      // A choice may itself be undefined, so the index tells whether there is one.
      if (index >= choices.length) throw new Error('nothing to choose from');
      return choices[index] as (typeof choices)[number];
    },
  };
}
