/** Interface of a scenario and of its size. */
import type { Random } from './random.js';
import type { Stage } from './stage.js';

export interface Finding {
  /** Counts, as text for the summary. */
  readonly figures: string;
  /** Violations. Empty if the scenario passed. */
  readonly problems: readonly string[];
}

/** Waits for background work and evaluates the result. Runs while the next scenario plays. */
export type Aftermath = () => Promise<Finding>;

export interface Scale {
  readonly short: boolean;
  /** Number of kills. Absent: the scenario decides. */
  readonly kills?: number;
  readonly random: Random;
  /** Returns the size for a full or a short run, multiplied by `--scale`. */
  of(sizes: { readonly full: number; readonly short: number }): number;
}

export interface Scenario {
  readonly id: string;
  /** The promise that the scenario verifies, in one sentence. */
  readonly says: string;
  /** Numbers in the fault catalog and in the list of public complaints. */
  readonly ties: string;
  /** Number of shop processes. Two need PostgreSQL; with SQLite the scenario uses one. */
  readonly shops?: 1 | 2;
  readonly limitMs?: number;
  play(stage: Stage, scale: Scale): Promise<Aftermath>;
}

/** Returns an aftermath for scenarios that need no waiting. */
export function at(finding: Finding): Aftermath {
  return () => Promise.resolve(finding);
}

/** Returns the problem if the condition does not hold. */
export function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}
