import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openTestDatabase } from '../../support/test-database.js';

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

test('a network of a client does 2 and 4 times as much as its address, and no other network is refused', async () => {
  await using database = await openTestDatabase();
  const limiter = database.db.limiter({ name: randomUUID(), max: 2, seconds: 60 });
  const client = (address: number, site = 1, network = 1) => ({
    addressKey: `a${address}`,
    siteKey: `s${site}`,
    networkKey: `n${network}`,
  });
  const isRefused = async (key: Parameters<typeof limiter.count>[0]) => (await limiter.count(key)) !== undefined;
  const refusals = [];
  for (const address of [1, 1, 1, 2, 2, 3]) refusals.push(await isRefused(client(address)));

  const others = [await isRefused(client(4, 2)), await isRefused(client(5, 3, 2))];
  const used = [await limiter.used(client(1)), await limiter.used(client(4, 2)), await limiter.used(client(6, 4, 4))];

  expect(refusals).toEqual([false, false, true, false, false, true]);
  expect(others).toEqual([false, false]);
  expect(used).toEqual([3, 2, 0]);
  expect(await isRefused({ addressKey: 'v4', siteKey: '', networkKey: '' })).toBe(false);
});
