import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openTestDatabase } from '../support/test-database.js';

test('a limiter refuses the event after its maximum, and a peek before returns the wait and counts nothing', async () => {
  await using database = await openTestDatabase();
  // The counts of another test may stay.
  const limiter = database.db.limiter({ name: randomUUID(), max: 2, seconds: 60 });

  const waits = [await limiter.peek('a'), await limiter.count('a'), await limiter.peek('a'), await limiter.peek('a')];
  const last = [await limiter.count('a'), await limiter.peek('a'), await limiter.count('a'), await limiter.peek('b')];
  await limiter.uncount('a');
  await limiter.reset('a');

  expect(waits).toEqual([undefined, undefined, undefined, undefined]);
  expect(last).toEqual([undefined, expect.any(Number), expect.any(Number), undefined]);
  expect(await limiter.count('a')).toBeUndefined();
});
