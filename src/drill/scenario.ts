/** What a scenario is, and how large it plays. */
import type { Random } from './random.js';
import type { Stage } from './stage.js';

export interface Finding {
  /** What was counted, in words for the summary. */
  readonly figures: string;
  /** What differed from what must be; empty when all is well. */
  readonly problems: readonly string[];
}

/** Waits for what has to come by itself, and counts; runs while the next scenario plays. */
export type Aftermath = () => Promise<Finding>;

export interface Scale {
  readonly short: boolean;
  /** How often processes are killed; absent: the scenario decides. */
  readonly kills?: number;
  readonly random: Random;
  /** The size for the drill in hand. */
  of(sizes: { readonly full: number; readonly short: number }): number;
}

export interface Scenario {
  readonly id: string;
  /** What it shows, as one sentence. */
  readonly says: string;
  /** Numbers of the fault catalogue and of public complaints. */
  readonly ties: string;
  /** Processes of the shop: two need PostgreSQL and are not played on the embedded database. */
  readonly shops?: 1 | 2;
  readonly limitMs?: number;
  play(stage: Stage, scale: Scale): Promise<Aftermath>;
}

/** For scenarios that are over when they have been played. */
export function at(finding: Finding): Aftermath {
  return () => Promise.resolve(finding);
}

/** A problem when something was not as it must be. */
export function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}
