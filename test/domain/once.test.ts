import { describe, expect, test } from '@jest/globals';
import { once } from '../../src/domain/memoize-async.js';

describe('a work that is done once', () => {
  test('begins with the first call and gives everybody the same', async () => {
    const begun: number[] = [];
    const open = once(() => {
      begun.push(begun.length);
      return Promise.resolve({ opened: begun.length });
    });

    const before = begun.length;
    const [first, second] = await Promise.all([open(), open()]);

    expect(before).toBe(0);
    expect(second).toBe(first);
    expect(await open()).toBe(first);
    expect(begun).toHaveLength(1);
  });

  test('is begun again after it failed, and everybody who waited is told', async () => {
    const outcomes = [Promise.reject(new Error('not there')), Promise.resolve('there')];
    const open = once(() => outcomes.shift() ?? Promise.reject(new Error('asked too often')));

    const told = await Promise.allSettled([open(), open()]);

    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await open()).toBe('there');
    expect(await open()).toBe('there');
  });
});
