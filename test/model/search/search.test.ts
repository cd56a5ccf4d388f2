/** Searches the states of an order exhaustively, with the real pure functions. See docs/internals/state-search.md. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ATTEMPT_STATES, ORDER_STATES } from '../../../src/domain/order.js';
import { REVERTS } from './reverts.js';
import { type Bound, search } from './search.js';
import { REAL } from './world.js';

/** `SEARCH=1,9,3 npm test -- test/model/search`: at most 1 unusual event, 9 events and 3 attempts. */
const [faults, maxDepth = 8, maxAttempts = 2] = (process.env['SEARCH'] ?? '').split(',').filter(Boolean).map(Number);
const BOUNDS: readonly Bound[] =
  faults !== undefined
    ? [{ faults, maxDepth, maxAttempts }]
    : [
        { faults: 0, maxDepth: 10, maxAttempts: 3 },
        { faults: 1, maxDepth: 7, maxAttempts: 2 },
        { faults: 2, maxDepth: 5, maxAttempts: 2 },
      ];

test('within the bound every sequence of events keeps I1 to I5, gets stuck nowhere, and all states are reached', () => {
  const reached = new Set<string>();
  for (const bound of BOUNDS) {
    const startedAt = performance.now();
    const found = search(REAL, bound);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const limits = `≤ ${bound.faults} unusual events, ≤ ${bound.maxDepth} events, ≤ ${bound.maxAttempts} attempts`;
    process.stdout.write(`state search: ${found.states} states, longest ${found.depth}, ${limits}, ${seconds} s\n`);

    expect([found.violation?.rule, ...(found.violation?.trace ?? [])].join('\n')).toBe('');
    for (const state of [...found.orderStates, ...found.attemptStates]) reached.add(state);
  }

  if (faults === undefined)
    expect([...reached].sort()).toEqual([...new Set([...ORDER_STATES, ...ATTEMPT_STATES])].sort());
}, 1_800_000);

test.each(REVERTS)('the search finds the bug “$name” as a violation of “$rule”', ({ rule, bug, ...bound }) => {
  const { violation } = search({ ...REAL, ...bug }, bound);

  expect([violation?.rule, ...(violation?.trace ?? [])]).toEqual([rule, ...(violation?.trace ?? [])]);
});

test('docs/internals/state-search.md lists every revert with its rule, unless it was deleted', () => {
  const page = new URL('../../../docs/internals/state-search.md', import.meta.url);
  if (!existsSync(page)) return;
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (?:I\d|never stuck) \| (.+?) \| (.+?) \|/gm);

  expect([...rows].map(([, name, rule]) => [name, rule])).toEqual(REVERTS.map(({ name, rule }) => [name, rule]));
});
