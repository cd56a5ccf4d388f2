/** Inserts rows as the use cases would write them, for tests of the store. */
import { randomUUID } from 'node:crypto';
import type { Refund } from '@tianguis/payments/back-office';
import type { Attempt } from '@tianguis/payments/rules';
import { centavos } from '@tianguis/payments/rules';
import { TRANSACTION_LIMITS } from '../../packages/payments/src/database/transaction-scope.js';
import type { Snapshot } from '../../packages/payments/src/rules/transition.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { NO_ADDRESS } from './customer.js';

/** The limits of a transaction that may insert many rows on a busy machine. */
export const UNHURRIED = { ...TRANSACTION_LIMITS, totalMs: 90_000 };

export const LINE = {
  productId: 'taza-talavera',
  name: 'Taza',
  unitPrice: centavos(100),
  quantity: 1,
  taxRate: '16' as const,
  discount: centavos(0),
};

/** Returns the row of an order in state `created` with changes. */
export function orderRow(change: Partial<OrdersTable> = {}): OrdersTable {
  const id = randomUUID();
  return {
    id,
    number: `TG-${id}`,
    token: id,
    cartId: randomUUID(),
    cartVersion: 1,
    state: 'created',
    version: 1,
    total: centavos(100),
    currency: 'MXN',
    firstName: 'Eva',
    lastName: 'Ruiz',
    email: 'eva@example.com',
    ...NO_ADDRESS,
    shippingOption: 'none',
    shippingLabel: 'Sin envío',
    shippingKind: 'none',
    shippingPrice: centavos(0),
    shippingDaysMin: null,
    shippingDaysMax: null,
    contactHash: '',
    locale: 'es-MX',
    discountCode: null,
    note: '',
    reviewReason: null,
    supersededBy: null,
    payableUntil: null,
    paidAttemptId: null,
    createdAt: 1,
    updatedAt: 1,
    paidAt: null,
    confirmedAt: null,
    ...change,
  };
}

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

/** A pending order with one open attempt, and nothing beside it. */
export const PENDING: Snapshot = {
  order: 'pending',
  attempt: 'open',
  hasOtherLiveAttempt: false,
  mayBeCharged: false,
  hasOtherOffer: false,
  isAlreadyPaid: false,
  awaitsCustomer: false,
  paysTheOrder: false,
  isOtherEnvironment: false,
  hasOtherReview: false,
  hasOtherEnvironment: false,
  hasGoods: true,
  lacksGoods: false,
  isHostBehind: false,
  missesRefund: false,
};
