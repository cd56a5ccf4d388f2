/** Searches the states of an order exhaustively, with the real pure functions. See docs/internals/state-search.md. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ATTEMPT_STATES, ORDER_STATES } from '@tianguis/payments/rules';
import { NEAR_EVENTS, REVERTS } from './reverts.js';
import { type Bound, search } from './search.js';
import { searchBounds } from './search-bounds.js';
import { REAL } from './world.js';

/** `SEARCH=1,9,3 npm test -- packages/payments/test/search`: at most 1 unusual event, 9 events and 3 attempts. */
const [faults, maxDepth = 8, maxAttempts = 2] = (process.env['SEARCH'] ?? '').split(',').filter(Boolean).map(Number);
const BOUNDS: readonly Bound[] =
  faults !== undefined
    ? [{ faults, maxDepth, maxAttempts }]
    : [
        { faults: 0, maxDepth: 8, maxAttempts: 3 },
        { faults: 1, maxDepth: 5, maxAttempts: 2 },
        { faults: 2, maxDepth: 4, maxAttempts: 2 },
      ];

test('within the bound every sequence of events keeps I1 to I5, gets stuck nowhere, and all states are reached', () => {
  const reached = searchBounds(BOUNDS);

  if (faults === undefined)
    expect([...reached].sort()).toEqual([...new Set([...ORDER_STATES, ...ATTEMPT_STATES])].sort());
}, 1_800_000);

test.each(REVERTS.filter(({ maxDepth }) => maxDepth <= NEAR_EVENTS))(
  'the search finds the bug “$name” as a violation of “$rule”',
  ({ rule, bug, ...bound }) => {
    const { violation } = search({ ...REAL, ...bug }, bound);

    expect([violation?.rule, ...(violation?.trace ?? [])]).toEqual([rule, ...(violation?.trace ?? [])]);
  },
);

test('docs/internals/state-search.md lists every revert with its rule, unless it was deleted', () => {
  const page = new URL('../../../../docs/internals/state-search.md', import.meta.url);
  if (!existsSync(page)) return;
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (?:I\d|never stuck) \| (.+?) \| (.+?) \|/gm);

  expect([...rows].map(([, name, rule]) => [name, rule])).toEqual(REVERTS.map(({ name, rule }) => [name, rule]));
});
