import { expect, test } from '@jest/globals';
import { randomFraction } from '../../src/rules/random.js';

test('the fraction of random bytes is at least 0 and less than 1', () => {
  const fractionOf = (...bytes: number[]) => randomFraction(() => Uint8Array.from(bytes));

  expect(fractionOf(0, 0, 0, 0)).toBe(0);
  expect(fractionOf(0, 0, 0, 128)).toBe(0.5);
  expect(fractionOf(255, 255, 255, 255)).toBeLessThan(1);
});
