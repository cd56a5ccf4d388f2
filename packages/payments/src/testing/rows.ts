/** Rows as the use cases write them, for tests of a host. */
import { randomUUID } from 'node:crypto';
import type { Attempt } from '../rules/attempt.js';
import { centavos } from '../rules/money.js';
import type { Refund } from '../store/refunds.js';

/** Returns the row of an attempt that is being created, with changes. */
export function attemptRow(orderId: string, change: Partial<Omit<Attempt, 'live'>> = {}): Omit<Attempt, 'live'> {
  return {
    id: randomUUID(),
    orderId,
    ordinal: 1,
    flow: 'hosted',
    state: 'creating',
    environment: 'test',
    keyFingerprint: '',
    reference: 'TG',
    amount: centavos(100),
    gatewayId: null,
    idSource: change.gatewayId ? 'answer' : null,
    transactionId: null,
    paymentId: null,
    provider: null,
    redirectUrl: null,
    offerEndsAt: 1,
    leasedUntil: 1,
    checkedAt: 0,
    nextCheckAt: 0,
    checks: 0,
    gatewayStatus: null,
    foundAt: null,
    notFoundAt: null,
    neverCompletedAt: null,
    returnedAt: null,
    abandonedAt: null,
    method: null,
    note: null,
    confirmedAmount: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  };
}

/** Returns the row of a refund that succeeded, with changes. */
export function refundRow(orderId: string, change: Partial<Refund>): Omit<Refund, 'inFlight'> {
  return {
    id: randomUUID(),
    orderId,
    attemptId: '',
    kind: 'refund',
    state: 'succeeded',
    amount: centavos(100),
    reason: '',
    returnsStock: 0,
    leasedUntil: 1,
    gatewayRefundId: null,
    gatewayStatus: null,
    refundedOn: null,
    by: 'ana',
    createdAt: 1,
    updatedAt: 1,
    ...change,
  };
}
