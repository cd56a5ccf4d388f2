/** The state search of packages/payments/test/search with larger bounds. See docs/internals/state-search.md. */
import { expect, test } from '@jest/globals';
import { NEAR_EVENTS, REVERTS } from '../../packages/payments/test/search/reverts.js';
import { search } from '../../packages/payments/test/search/search.js';
import { searchBounds } from '../../packages/payments/test/search/search-bounds.js';
import { REAL } from '../../packages/payments/test/search/world.js';

test('within the full bound every sequence of events keeps I1 to I5 and gets stuck nowhere', () => {
  searchBounds([
    { faults: 0, maxDepth: 10, maxAttempts: 3 },
    { faults: 1, maxDepth: 7, maxAttempts: 2 },
    { faults: 2, maxDepth: 5, maxAttempts: 2 },
  ]);
}, 1_800_000);

test.each(REVERTS.filter(({ maxDepth }) => maxDepth > NEAR_EVENTS))(
  'the search finds the bug “$name” as a violation of “$rule”',
  ({ rule, bug, ...bound }) => {
    expect(search({ ...REAL, ...bug }, bound).violation?.rule).toBe(rule);
  },
);
