/** Searches several bounds, reports each one, and requires that none has a violation. */
import { expect } from '@jest/globals';
import { type Bound, search } from './search.js';
import { REAL } from './world.js';

/** Returns the states of orders and attempts that are reached. */
export function searchBounds(bounds: readonly Bound[]): ReadonlySet<string> {
  const reached = new Set<string>();
  for (const bound of bounds) {
    const startedAt = performance.now();
    const found = search(REAL, bound);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const limits = `≤ ${bound.faults} unusual events, ≤ ${bound.maxDepth} events, ≤ ${bound.maxAttempts} attempts`;
    process.stdout.write(`state search: ${found.states} states, longest ${found.depth}, ${limits}, ${seconds} s\n`);

    expect([found.violation?.rule, ...(found.violation?.trace ?? [])].join('\n')).toBe('');
    for (const state of [...found.orderStates, ...found.attemptStates]) reached.add(state);
  }
  return reached;
}
