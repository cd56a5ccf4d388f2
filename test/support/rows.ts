/** Rows as the flows would write them, for tests of the store alone. */
import { randomUUID } from 'node:crypto';
import { centavos } from '../../src/core/money.js';
import type { Attempt } from '../../src/store/attempts.js';
import type { OrdersTable } from '../../src/store/schema.js';

export const LINE = {
  productId: 'taza-talavera',
  name: 'Taza',
  unitPrice: centavos(100),
  quantity: 1,
};

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
    locale: 'es-MX',
    attention: null,
    supersededBy: null,
    paidAttemptId: null,
    createdAt: 1,
    updatedAt: 1,
    paidAt: null,
    ...change,
  };
}

export function attemptRow(
  orderId: string,
  change: Partial<Omit<Attempt, 'live'>> = {},
): Omit<Attempt, 'live'> {
  return {
    id: randomUUID(),
    orderId,
    ordinal: 1,
    kind: 'hosted',
    state: 'creating',
    environment: 'test',
    reference: 'TG',
    amount: centavos(100),
    serviceId: null,
    redirectUrl: null,
    expiresAt: 1,
    claimedUntil: 1,
    checkedAt: 0,
    nextCheckAt: 0,
    checks: 0,
    words: null,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  };
}
