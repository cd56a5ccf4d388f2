/** Reproducible random numbers: the same seed repeats the same drill. */
export interface Random {
  /** Returns an integer from 0 to less than `limit`. */
  below(limit: number): number;
  /** Returns one of the choices. Throws if there are none. */
  pick<const T>(choices: readonly T[]): T;
}

/** Creates a Mulberry32 generator, which is deterministic on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
  return {
    below,
    pick(choices) {
      if (choices.length === 0) throw new Error('nothing to choose from');
      return choices[below(choices.length)] as (typeof choices)[number];
    },
  };
}
