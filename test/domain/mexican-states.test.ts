import { expect, test } from 'vitest';
import { isPostalCodeOf, STATE_CODES } from '../../src/domain/contact.js';

test('each beginning of a postal code belongs to one of the 32 states, except 17 to 19', () => {
  const statesOf = (start: number) =>
    STATE_CODES.filter((state) => isPostalCodeOf(state, `${String(start).padStart(2, '0')}000`));

  const counts = Array.from({ length: 100 }, (_, start) => statesOf(start).length);

  expect(STATE_CODES).toHaveLength(32);
  expect(counts).toEqual(counts.map((_, start) => (start >= 17 && start <= 19 ? 0 : 1)));
});

test.each([
  ['CMX', '06000'],
  ['OAX', '68000'],
  ['NLE', '64000'],
  ['BCN', '22000'],
] as const)('the state %s has the postal code %s', (state, code) => {
  expect(isPostalCodeOf(state, code)).toBe(true);
});
