/** Inserts rows as the use cases would write them, for tests of the store. */
import { randomUUID } from 'node:crypto';
import { centavos } from '@tianguis/payments/rules';
import { TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import type { OrdersTable } from '../../src/tables/schema.js';
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
