import { describe, expect, test } from '@jest/globals';
import {
  ATTEMPT_STATES,
  type AttemptState,
  LIVE_ATTEMPT_STATES,
  UNPAID_ENDS,
  WATCHED_ATTEMPT_STATES,
} from '../../src/domain/order.js';

describe('the states of an attempt', () => {
  test.each<[AttemptState, string[]]>([
    ['creating', ['live']],
    ['open', ['live', 'watched']],
    ['unknown', ['live']],
    ['superseded', ['watched']],
    ['failed', ['unpaid end']],
    ['paid', []],
    ['declined', ['unpaid end']],
    ['expired', ['unpaid end']],
    ['cancelled', ['unpaid end']],
    ['review', ['watched']],
    ['refunded', []],
  ])('an attempt that is %s counts as %j', (state, groups) => {
    expect(ATTEMPT_STATES).toContain(state);
    expect(
      [
        LIVE_ATTEMPT_STATES.includes(state) && 'live',
        WATCHED_ATTEMPT_STATES.includes(state) && 'watched',
        UNPAID_ENDS.includes(state) && 'unpaid end',
      ].filter(Boolean),
    ).toEqual(groups);
  });
});
