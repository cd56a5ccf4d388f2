import { expect, test } from 'vitest';
import { once } from '../../src/db/dialects.js';

test('a memoized function that rejects runs again at the next call', async () => {
  const results = [Promise.reject(new Error('failed')), Promise.resolve('opened')];
  const open = once(() => results.shift() ?? Promise.reject(new Error('called too often')));

  const first = await Promise.allSettled([open(), open()]);

  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await open(), await open()]).toEqual(['opened', 'opened']);
});
