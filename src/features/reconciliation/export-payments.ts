import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextRun } from 'node:timers/promises';
import {
  DAYS_AT_ONCE,
  findPayments,
  findRefundsOfDays,
  type MadePayment,
  type MadeRefund,
} from '@tianguis/payments/back-office';
import { CURRENCY, errorName, toPesosText } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { addDays, localTime, startOfDay } from '../../shop/rules/mexico-day.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { BYTE_ORDER_MARK, csvOf } from '../order-export/csv.js';
import type { esMx } from './es-mx.js';

/** Days in Mexico City, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A payment, or a refund or chargeback. */
type Movement = MadePayment | MadeRefund;
type Column = readonly [name: keyof typeof esMx.columns, cell: (movement: Movement, context: RequestContext) => string];

const isRefund = (movement: Movement): movement is MadeRefund => 'day' in movement;
const timeOf = (movement: Movement) => (isRefund(movement) ? movement.day : localTime(movement.at));

const COLUMNS: readonly Column[] = [
  ['day', (movement) => timeOf(movement).slice(0, 10)],
  ['time', (movement) => timeOf(movement).slice(11)],
  ['kind', (movement, { t }) => t(`reconciliation.kinds.${isRefund(movement) ? movement.kind : 'payment'}`)],
  ['number', ({ number }) => number],
  ['reference', ({ reference }) => reference],
  ['flow', ({ flow }, { t }) => t(`admin.flows.${flow}`)],
  ['gatewayId', ({ gatewayId }) => gatewayId ?? ''],
  ['paymentId', ({ paymentId }) => paymentId ?? ''],
  ['transactionId', ({ transactionId }) => transactionId ?? ''],
  ['provider', ({ provider }) => provider ?? ''],
  ['refundId', (movement) => (isRefund(movement) ? (movement.gatewayRefundId ?? '') : '')],
  ['paid', (movement) => (isRefund(movement) ? '' : toPesosText(movement.amount))],
  ['returned', (movement) => (isRefund(movement) ? toPesosText(movement.amount) : '')],
  ['currency', () => CURRENCY],
];

/**
 * Streams the payments and refunds of these days as CSV, logged with the user: one row per movement, so that each column of
 * money adds up. If a read fails, the connection is closed without a proper end.
 */
export async function exportPayments(res: Response, days: Days): Promise<void> {
  const { log } = contextOf(res).checkout;
  const user = adminOf(res).name;
  const written = { count: 0 };
  res.type('text/csv').attachment(`pagos-${days.from}-${days.to}.csv`);
  try {
    await pipeline(Readable.from(recordsOf(contextOf(res), days, written)), res);
    log.info('payments.exported', { user, count: written.count });
  } catch (error) {
    log.warn('payments.export_truncated', { user, count: written.count, reason: errorName(error) });
  }
}

async function* recordsOf(context: RequestContext, days: Days, written: { count: number }): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvOf([COLUMNS.map(([name]) => context.t(`reconciliation.columns.${name}`))]);
  for (let first = days.from; first <= days.to; first = addDays(first, DAYS_AT_ONCE)) {
    const end = addDays(first, DAYS_AT_ONCE - 1);
    const movements = await findMovements(context, { from: first, to: end < days.to ? end : days.to });
    written.count += movements.length;
    yield csvOf(movements.map((movement) => COLUMNS.map(([, cell]) => cell(movement, context))));
    // SQLite is synchronous. Yields to the event loop, so that requests of customers are not delayed.
    await nextRun();
  }
}

async function findMovements({ checkout }: RequestContext, { from, to }: Days): Promise<readonly Movement[]> {
  const { queries } = checkout.db;
  const payments = await findPayments(queries, { from: startOfDay(from), until: startOfDay(addDays(to, 1)) });
  const refunds = await findRefundsOfDays(queries, { first: from, last: to });
  return [...payments, ...refunds].sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
}
