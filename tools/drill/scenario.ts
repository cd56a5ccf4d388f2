/** What a scenario is and finds, and its reproducible random numbers. */
import type { PaymentFlow } from '@tianguis/payments/rules';
import type { Environment } from './environment.js';

/** The problem is reported unless the check holds. */
export type Check = readonly [holds: boolean, problem: string];

export interface Finding {
  /** Counts, as text for the summary. */
  readonly summary: string;
  readonly checks: readonly Check[];
}

export interface Scale {
  readonly short: boolean;
  readonly random: Random;
  /** Returns the size for a full or a short run, multiplied by `--scale`. */
  of(sizes: { readonly full: number; readonly short: number }): number;
}

export interface Scenario {
  readonly id: string;
  readonly description: string;
  /** Number of shop processes. Two need PostgreSQL; with SQLite the scenario is skipped. */
  readonly shops?: 1 | 2;
  /** The payment flows by which it pays. Without one of them in the shop the scenario is skipped. Default: hosted. */
  readonly flows?: readonly PaymentFlow[];
  readonly limitMs?: number;
  /** A returned function waits for background work while the next scenario runs. */
  run(environment: Environment, scale: Scale): Promise<Finding | (() => Promise<Finding>)>;
}

/** Reproducible random numbers: the same seed repeats the same drill. */
export interface Random {
  /** Returns an integer from 0 to less than `limit`. */
  below(limit: number): number;
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
