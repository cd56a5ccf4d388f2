import { expect, test } from '@jest/globals';
import { CLOSE_MS, SHUTDOWN_MS } from '@tianguis/payments/operations';
import { TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import { CALLS } from '../src/gateway/errors.js';
import { LEASE_MS, LONGEST_HOLD_MS, LONGEST_STORE_MS, REQUEST_WAIT_MS, RETRY_FOR_MS } from '../src/lease-times.js';

const { totalMs, lockMs, idleMs } = TRANSACTION_LIMITS;
/** `docs/examples/haproxy.cfg`, `docs/examples/Caddyfile` and, for the shutdown, `tianguis.service`. */
const PROXY_WAIT_MS = 60_000;
const STOP_MS = 60_000;
const ATTEMPT_WAIT_MS = 3_000;

test.each([
  ['a lock that a running process holds', totalMs, LONGEST_HOLD_MS + 1],
  ['a lock that a frozen process holds', lockMs + idleMs, LONGEST_HOLD_MS + 1],
  ['the longest lock and a wait for the next one', LONGEST_HOLD_MS + lockMs, RETRY_FOR_MS + 1],
  ['the retries and their last try', RETRY_FOR_MS + totalMs, LONGEST_STORE_MS + 1],
  [
    'a card payment and the storing of its answer',
    CALLS['process-payment'].deadlineMs + LONGEST_STORE_MS,
    LEASE_MS.card,
  ],
  ['a refund and the storing of its answer', CALLS['refund-payment'].deadlineMs + LONGEST_STORE_MS, LEASE_MS.card],
  ['a hosted session', CALLS['create-session'].deadlineMs, LEASE_MS.hosted],
  [
    'a page: wait for another attempt, lock, call, storing, lookup',
    ATTEMPT_WAIT_MS +
      lockMs +
      CALLS['process-payment'].deadlineMs +
      REQUEST_WAIT_MS +
      CALLS['read-transaction'].deadlineMs,
    PROXY_WAIT_MS,
  ],
  [
    'a page that waits for the session of a killed process',
    LEASE_MS.hosted + CALLS['create-session'].deadlineMs + REQUEST_WAIT_MS,
    PROXY_WAIT_MS,
  ],
  ['a card payment at the shutdown', CALLS['process-payment'].deadlineMs, CLOSE_MS],
  ['the storing of its answer', CLOSE_MS + RETRY_FOR_MS, SHUTDOWN_MS + 1],
  ['the shutdown', SHUTDOWN_MS, STOP_MS],
])('%s ends in time', (_name, time, limit) => {
  expect(time).toBeLessThan(limit);
});
