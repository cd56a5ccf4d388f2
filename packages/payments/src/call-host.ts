/** Calls of the host inside of a transaction. A host that throws, or that does not answer, loses no money. */

import type { PaymentContext } from './context.js';
import type { AppliedChange, FullHost, ReturnedMoney } from './host.js';
import type { Attempt } from './rules/attempt.js';
import { reasonToReview } from './rules/decision.js';
import { errorName } from './rules/error-name.js';
import type { ReviewReason } from './rules/order.js';
import type { Transaction } from './store/database.js';
import { findHistory, type Order, patchOrder, recordEvent } from './store/orders.js';

/** A call of the host that failed. Nothing of it is written. */
export class HostFailedError extends Error {
  override readonly name = 'HostFailedError';
  readonly call: keyof FullHost;

  constructor(call: keyof FullHost, cause: unknown) {
    super(`the host failed: ${call}`, { cause });
    this.call = call;
  }
}

/**
 * Runs a call of the host in a savepoint. Returns its failure as a value. Throws a fault of the database, after which the whole
 * transaction must be repeated.
 */
export async function tryHost<R>(
  tx: Transaction,
  call: keyof FullHost,
  work: () => Promise<R>,
): Promise<R | HostFailedError> {
  const result = await tx.savepoint(work);
  return result.ok ? result.value : new HostFailedError(call, result.error);
}

interface HostWork {
  readonly change: AppliedChange<Order>;
  /** Takes the goods after the change. */
  readonly take?: (() => Promise<void>) | undefined;
  /** Refunds that a repeated change gives to the host, because it missed them. */
  readonly refunds?: readonly ReturnedMoney[];
  /** An earlier call of this transaction failed, so that the host is not called again. */
  readonly failure?: HostFailedError | undefined;
}

/** The order after a call of the host, which is in review if the call failed. */
interface HostResult {
  readonly order: Order;
  readonly failure?: HostFailedError | undefined;
}

/**
 * Gives the host a change in the transaction that wrote it. Throws {@link HostFailedError} if a repeated change failed.
 */
export async function applyToHost(
  tx: Transaction,
  context: Pick<PaymentContext, 'host' | 'log'>,
  work: HostWork,
): Promise<HostResult> {
  const { change } = work;
  const failure = work.failure ?? (await callHost(tx, context.host, work));
  if (!failure) return { order: change.after };
  // The order is in review already, and the decision changes nothing.
  if (change.cause === 'change_repeated') throw failure;
  return { order: await flagFailure(tx, context, change, failure), failure };
}

async function callHost(
  tx: Transaction,
  host: FullHost,
  { change, take, refunds = [] }: HostWork,
): Promise<HostFailedError | undefined> {
  const isIgnored = host.ignoredEvents.includes(change.cause);
  const apply = async () => {
    if (!isIgnored) await host.applyChange(tx, change);
    await take?.();
  };
  const applied = isIgnored && !take ? undefined : await tryHost(tx, 'applyChange', apply);
  if (applied) return applied;
  for (const refund of refunds) {
    const returned = await tryHost(tx, 'moneyReturned', () => host.moneyReturned(tx, change.after, refund));
    if (returned) return returned;
  }
  return undefined;
}

interface Returned {
  readonly order: Order;
  readonly attempt: Attempt;
  readonly refund: ReturnedMoney;
  readonly at: number;
  /** The host failed in this transaction already, so that it is not called again. */
  readonly failure: HostFailedError | undefined;
}

/** Reports to the host a refund that returned money. Returns the order, which is in review if the host failed. */
export async function reportReturnedMoney(
  tx: Transaction,
  context: Pick<PaymentContext, 'host' | 'log'>,
  { order, attempt, refund, at, failure: earlier }: Returned,
): Promise<Order> {
  const { host, log } = context;
  const failure = earlier ?? (await tryHost(tx, 'moneyReturned', () => host.moneyReturned(tx, order, refund)));
  if (!failure) return order;
  const { refundId } = refund;
  const fields = { order: order.number, attempt: attempt.id, refund: refundId, ...hostFailureFields(failure) };
  if (!earlier) tx.onCommit(() => log.error('host.change_failed', fields));
  const detail = { attempt: attempt.ordinal, event: 'money_returned', ...refund };
  await recordEvent(tx, { orderId: order.id, at, kind: 'host_failed', detail });
  // An order that needs another review gets this reason after it.
  return reasonToReview(order) === null ? flagOrder(tx, host, { order, cause: 'refunded', at }) : order;
}

/** Logs that the host does not have a change. */
export function logHostFailure(
  { log }: Pick<PaymentContext, 'log'>,
  { after, attempt, cause }: AppliedChange<Order>,
  error: unknown,
): void {
  const fields = { order: after.number, attempt: attempt?.id, event: cause };
  log.error('host.change_failed', { ...fields, ...hostFailureFields(error) });
}

export function hostFailureFields(error: unknown) {
  return error instanceof HostFailedError
    ? { call: error.call, reason: errorName(error.cause) }
    : { reason: errorName(error) };
}

/** Reasons that a repetition of the change finds again. */
const REPLACED_AT_PAID: readonly (ReviewReason | null)[] = [null, 'oversold', 'other_environment', 'outcome_unknown'];

/**
 * Flags the order for review. A reason that money needs stays. The history has what the host missed, so that an order that became
 * paid gets this reason after the other one.
 */
async function flagFailure(
  tx: Transaction,
  context: Pick<PaymentContext, 'host' | 'log'>,
  change: AppliedChange<Order>,
  failure: HostFailedError,
): Promise<Order> {
  const { before, after, attempt, cause, at } = change;
  tx.onCommit(() => logHostFailure(context, change, failure));
  const becamePaid = after.state === 'paid' && before.state !== 'paid';
  const isFlagged = becamePaid ? REPLACED_AT_PAID.includes(after.reviewReason) : reasonToReview(after) === null;
  if (!becamePaid && !isFlagged) return after;
  const missed = { event: cause, from: before.state, payableUntil: before.payableUntil };
  const detail = { attempt: attempt?.ordinal, ...missed };
  await recordEvent(tx, { orderId: after.id, at, kind: 'host_failed', detail });
  return isFlagged ? flagOrder(tx, context.host, { order: after, cause, at }) : after;
}

/** The new reason is a change of its own. The host may notify the merchant. */
async function flagOrder(
  tx: Transaction,
  host: FullHost,
  { order, cause, at }: Pick<AppliedChange<Order>, 'cause' | 'at'> & { readonly order: Order },
): Promise<Order> {
  const flagged = await patchOrder(tx, order, { at, patch: { reviewReason: 'host_failed' } });
  await tryHost(tx, 'applyChange', () => host.applyChange(tx, { before: order, after: flagged, cause, at }));
  return flagged;
}

/** What the host does not have. */
export interface Missed {
  /** The columns of the order before the first change that it missed. Absent: it has all changes. */
  readonly change?: Pick<Order, 'state' | 'payableUntil'> | undefined;
  readonly refunds: readonly ReturnedMoney[];
}

export const NOTHING_MISSED: Missed = { refunds: [] };

/** Returns what the host missed, from the history of the order. */
export async function findMissed(tx: Transaction, orderId: string): Promise<Missed> {
  let { change, refunds } = NOTHING_MISSED;
  for (const { kind, detail } of await findHistory(tx, orderId)) {
    const { from, to, payableUntil, attempt: _attempt, event, ...refund } = JSON.parse(detail);
    if (kind === 'host_applied') ({ change, refunds } = NOTHING_MISSED);
    // An order that becomes paid makes the changes before it meaningless.
    if (kind === 'moved' && to === 'paid') change = undefined;
    if (kind !== 'host_failed') continue;
    if (event === 'money_returned') refunds = [...refunds, refund];
    else change ??= { state: from, payableUntil };
  }
  return { change, refunds };
}
