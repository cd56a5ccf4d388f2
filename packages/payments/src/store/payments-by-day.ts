/** Payments and refunds of a span, for accounting and for the comparison with the gateway's own list. */
import { sql } from 'kysely';
import { refuseTablePrefix } from '../database/table-prefix.js';
import type { Attempt } from '../rules/attempt.js';
import type { Centavos } from '../rules/money.js';
import type { Db } from './database.js';
import type { Refund } from './refunds.js';

/** Times in milliseconds since 1970. `until` is exclusive. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

type AttemptIds = Pick<
  Attempt,
  'flow' | 'state' | 'reference' | 'gatewayId' | 'transactionId' | 'paymentId' | 'provider'
>;

/** A payment that was made, also one that was refunded later. */
export interface MadePayment extends AttemptIds {
  readonly attemptId: string;
  readonly number: string;
  readonly amount: Centavos;
  readonly at: number;
}

export interface MadeRefund extends AttemptIds, Pick<Refund, 'kind' | 'amount' | 'gatewayRefundId'> {
  readonly number: string;
  /** The day in Mexico City. */
  readonly day: string;
}

/** How many days one call of {@link findPayments} should read, so that it delays no other request for long. */
export const DAYS_AT_ONCE = 10;

/** An order is paid at its placement or later, up to 30 days of its link and 8 days of its watch. */
const MAX_ORDER_AGE_MS = 60 * 24 * 3_600_000;

const IDS = [
  'attempts.flow',
  'attempts.state',
  'attempts.reference',
  'attempts.gatewayId',
  'attempts.transactionId',
  'attempts.paymentId',
  'attempts.provider',
] as const;

/**
 * Returns the payments of a span, oldest first. The payment of an order has the time of the order's payment, any further one the
 * time at which a lookup first found it.
 */
export async function findPayments(queries: Db, { from, until }: Span): Promise<readonly MadePayment[]> {
  refuseTablePrefix(queries);
  const columns = [
    ...IDS,
    'attempts.id as attemptId',
    'orders.number',
    sql<Centavos>`coalesce(attempts.confirmed_amount, attempts.amount)`.as('amount'),
  ] as const;
  const paying = await queries
    .selectFrom('orders')
    .innerJoin('attempts', 'attempts.id', 'orders.paidAttemptId')
    .select([...columns, (eb) => eb.ref('orders.paidAt').$castTo<number>().as('at')])
    .where('orders.paidAt', '>=', from)
    .where('orders.paidAt', '<', until)
    .execute();
  const foundAt = sql<number>`coalesce(attempts.found_at, attempts.created_at)`;
  const further = await queries
    .selectFrom('orders')
    .innerJoin('attempts', 'attempts.orderId', 'orders.id')
    .select([...columns, foundAt.as('at')])
    .where('orders.createdAt', '>=', from - MAX_ORDER_AGE_MS)
    .where('orders.createdAt', '<', until)
    .where('attempts.state', 'in', ['paid', 'refunded'])
    .where(sql<boolean>`attempts.id <> coalesce(orders.paid_attempt_id, '')`)
    .where(foundAt, '>=', from)
    .where(foundAt, '<', until)
    .execute();
  return [...paying, ...further].sort((a, b) => a.at - b.at);
}

/** Returns the refunds and chargebacks of these days, both included, oldest first. */
export function findRefundsOfDays(
  queries: Db,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly MadeRefund[]> {
  refuseTablePrefix(queries);
  return queries
    .selectFrom('refunds')
    .innerJoin('attempts', 'attempts.id', 'refunds.attemptId')
    .innerJoin('orders', 'orders.id', 'refunds.orderId')
    .select([...IDS, 'orders.number', 'refunds.kind', 'refunds.amount', 'refunds.gatewayRefundId'])
    .select((eb) => eb.ref('refunds.refundedOn').$castTo<string>().as('day'))
    .where('refunds.refundedOn', '>=', first)
    .where('refunds.refundedOn', '<=', last)
    .orderBy('refunds.refundedOn')
    .orderBy('refunds.id')
    .execute();
}

/** Returns when the first payment was made, in milliseconds since 1970; `undefined` without payments. */
export async function findFirstPayment(queries: Db): Promise<number | undefined> {
  const orders = queries.selectFrom('orders').select('paidAt').where('paidAt', 'is not', null);
  const first = await orders.orderBy('paidAt').limit(1).executeTakeFirst();
  return first?.paidAt ?? undefined;
}

export type NumberedAttempt = AttemptIds & Pick<Attempt, 'id' | 'amount' | 'confirmedAmount'>;

/** Returns the attempts that the gateway knows by these ids, transaction numbers or payment numbers. */
export function findAttemptsByGatewayNumbers(
  queries: Db,
  numbers: readonly string[],
): Promise<readonly NumberedAttempt[]> {
  const attempts = queries.selectFrom('attempts').select([...IDS, 'id', 'amount', 'confirmedAmount']);
  // A union of index lookups. For an `or`, PostgreSQL may scan the whole table.
  return attempts
    .where('gatewayId', 'in', numbers)
    .union(attempts.where('transactionId', 'in', numbers))
    .union(attempts.where('paymentId', 'in', numbers))
    .execute();
}
