/** Interface of a scenario and of its size. */
import type { Environment } from './environment.js';
import type { Random } from './random.js';

export interface Finding {
  /** Counts, as text for the summary. */
  readonly summary: string;
  /** Violations. Empty if the scenario passed. */
  readonly problems: readonly string[];
}

export interface Scale {
  readonly short: boolean;
  readonly random: Random;
  /** Returns the size for a full or a short run, multiplied by `--scale`. */
  of(sizes: { readonly full: number; readonly short: number }): number;
}

export interface Scenario {
  readonly id: string;
  /** What the scenario verifies, in one sentence. */
  readonly description: string;
  /** Number of shop processes. Two need PostgreSQL; with SQLite the scenario is skipped. */
  readonly shops?: 1 | 2;
  readonly limitMs?: number;
  /** A returned function waits for background work while the next scenario runs. */
  run(environment: Environment, scale: Scale): Promise<Finding | (() => Promise<Finding>)>;
}

export interface Result extends Finding {
  readonly scenario: Scenario;
  readonly seconds: number;
}

/** Returns the problems whose condition does not hold. */
export function failures(checks: readonly (readonly [holds: boolean, problem: string])[]): readonly string[] {
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}
