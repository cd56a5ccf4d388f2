import { setImmediate as nextRun } from 'node:timers/promises';
import { refuseTablePrefix } from './database/table-prefix.js';
import { isRefundStatus, readExportedStatus } from './gateway/status.js';
import type { Centavos } from './rules/money.js';
import type { AttemptState } from './rules/order.js';
import type { PaymentStatus } from './rules/payment.js';
import type { Db } from './store/database.js';
import {
  DAYS_AT_ONCE,
  findAttemptsByGatewayNumbers,
  findFirstPayment,
  findPayments,
  type NumberedAttempt,
  type Span,
} from './store/payments-by-day.js';

/**
 * A row of the gateway's export. `id`: its id, transaction number or payment number of a payment. A try without payment may have no
 * amount.
 */
export interface ExportedPayment {
  readonly line: number;
  readonly id: string;
  readonly amount: Centavos | undefined;
  readonly status: string;
}

/** A row that is no payment: a refund, or a declined try on a page of the gateway. */
export interface NoPayment {
  readonly kind: 'no_payment';
  readonly line: number;
  readonly id: string;
  readonly status: string;
}

/** A difference. `line`: the row of the file. `reference`: the attempt. */
export type Difference =
  | { readonly kind: 'only_in_file'; readonly line: number; readonly id: string; readonly status: string }
  | { readonly kind: 'only_here'; readonly id: string; readonly reference: string; readonly amount: Centavos }
  | {
      readonly kind: 'other_amount';
      readonly line: number;
      readonly id: string;
      readonly reference: string;
      readonly inFile: Centavos;
      readonly here: Centavos;
    }
  | {
      readonly kind: 'other_status';
      readonly line: number;
      readonly id: string;
      readonly reference: string;
      readonly inFile: string;
      readonly here: AttemptState;
    }
  /** An earlier row names the same payment. */
  | { readonly kind: 'repeated'; readonly line: number; readonly id: string; readonly reference: string };

const BATCH = 500;
const SPAN_MS = DAYS_AT_ONCE * 24 * 3_600_000;

/** Returns whether a row with this status is a payment, or may be one. */
export function isPaymentStatus(status: string): boolean {
  return !isRefundStatus(status) && MEANINGS[readExportedStatus(status)] !== 'unpaid';
}

/**
 * Compares rows of the gateway's export with the attempts. Payments here that no row names are differences if they were made in
 * the span. Rows that are no payment are returned as such. Changes nothing.
 */
export async function* compareExport(
  queries: Db,
  rows: readonly ExportedPayment[],
  { from, until }: Span,
): AsyncGenerator<Difference | NoPayment> {
  refuseTablePrefix(queries);
  const named = new Set<string>();
  // A declined try is no second row of the payment that followed it on the same page.
  const isTry = ({ status }: ExportedPayment) => !isPaymentStatus(status);
  const ordered = rows.toSorted((one, other) => Number(isTry(one)) - Number(isTry(other)));
  for (let start = 0; start < ordered.length; start += BATCH) {
    const batch = ordered.slice(start, start + BATCH);
    const attemptOf = await readAttempts(queries, batch);
    for (const row of batch) yield* compareRow(row, attemptOf(row.id), named);
    await nextRun();
  }
  const first = await findFirstPayment(queries);
  if (first === undefined) return;
  for (let start = Math.max(from, first); start < until; start += SPAN_MS) {
    const payments = await findPayments(queries, { from: start, until: Math.min(start + SPAN_MS, until) });
    for (const { attemptId, gatewayId, reference, amount } of payments)
      if (gatewayId !== null && !named.has(attemptId)) yield { kind: 'only_here', id: gatewayId, reference, amount };
  }
}

async function readAttempts(queries: Db, rows: readonly ExportedPayment[]) {
  const attempts = await findAttemptsByGatewayNumbers(
    queries,
    rows.map(({ id }) => id),
  );
  const byNumber = new Map<string, NumberedAttempt>();
  // The id of one payment wins over the number of another.
  for (const column of ['paymentId', 'transactionId', 'gatewayId'] as const)
    for (const attempt of attempts) byNumber.set(attempt[column] ?? '', attempt);
  return (id: string) => byNumber.get(id);
}

function* compareRow(
  { line, id, amount, status }: ExportedPayment,
  attempt: NumberedAttempt | undefined,
  named: Set<string>,
): Generator<Difference | NoPayment> {
  const isNamed = attempt !== undefined && named.has(attempt.id);
  if (attempt) named.add(attempt.id);
  if (!isPaymentStatus(status) && (!attempt || isNamed || isRefundStatus(status)))
    return yield { kind: 'no_payment', line, id, status };
  if (!attempt) return yield { kind: 'only_in_file', line, id, status };
  const { reference, state } = attempt;
  if (isNamed) yield { kind: 'repeated', line, id, reference };
  const here = attempt.confirmedAmount ?? attempt.amount;
  if (amount !== undefined && amount !== here)
    yield { kind: 'other_amount', line, id, reference, inFile: amount, here };
  if (MEANINGS[readExportedStatus(status)] !== STATE_MEANINGS[state])
    yield { kind: 'other_status', line, id, reference, inFile: status, here: state };
}

type Meaning = 'paid' | 'open' | 'unpaid' | 'in_review';

/** A word that the interface does not define agrees with no state. */
const MEANINGS: Readonly<Record<PaymentStatus, Meaning | 'unclear'>> = {
  paid: 'paid',
  pending: 'open',
  processing: 'open',
  declined: 'unpaid',
  expired: 'unpaid',
  cancelled: 'unpaid',
  unclear: 'unclear',
};

const STATE_MEANINGS: Readonly<Record<AttemptState, Meaning>> = {
  creating: 'open',
  open: 'open',
  superseded: 'open',
  unknown: 'in_review',
  review: 'in_review',
  paid: 'paid',
  refunded: 'paid',
  failed: 'unpaid',
  declined: 'unpaid',
  expired: 'unpaid',
  cancelled: 'unpaid',
};
