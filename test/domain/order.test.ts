import { expect, test } from '@jest/globals';
import {
  ATTEMPT_STATES,
  type AttemptState,
  LIVE_ATTEMPT_STATES,
  UNPAID_ENDS,
  WATCHED_ATTEMPT_STATES,
} from '../../src/domain/order.js';

test('each attempt state is live, looked up, an unpaid end or none of these', () => {
  const groupsOf = (state: AttemptState) => [
    ...(LIVE_ATTEMPT_STATES.includes(state) ? ['live'] : []),
    ...(WATCHED_ATTEMPT_STATES.includes(state) ? ['looked up'] : []),
    ...(UNPAID_ENDS.includes(state) ? ['unpaid end'] : []),
  ];

  expect(Object.fromEntries(ATTEMPT_STATES.map((state) => [state, groupsOf(state)]))).toEqual({
    creating: ['live'],
    open: ['live', 'looked up'],
    unknown: ['live'],
    superseded: ['looked up'],
    failed: ['unpaid end'],
    paid: [],
    declined: ['unpaid end'],
    expired: ['unpaid end'],
    cancelled: ['unpaid end'],
    review: ['looked up'],
    refunded: [],
  });
});
