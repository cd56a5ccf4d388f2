/** Calls of the host inside of a transaction. A host that throws, or that does not answer, loses no money. */

import type { PaymentContext } from './context.js';
import type { AppliedChange, FullHost } from './host.js';
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
  /** An earlier call of this transaction failed, so that the host is not called again. */
  readonly failure?: HostFailedError | undefined;
}

/**
 * Gives the host a change in the transaction that wrote it. Returns the order, which is in review if the host failed. Throws
 * {@link HostFailedError} if a repeated change failed.
 */
export async function applyToHost(
  tx: Transaction,
  context: Pick<PaymentContext, 'host' | 'log'>,
  { change, take, failure: earlier }: HostWork,
): Promise<Order> {
  const { host } = context;
  if (!earlier && host.ignoredEvents.includes(change.cause)) return change.after;
  const apply = async () => {
    await host.applyChange(tx, change);
    await take?.();
  };
  const failure = earlier ?? (await tryHost(tx, 'applyChange', apply));
  if (!(failure instanceof HostFailedError)) return change.after;
  // The order is in review already, and the decision changes nothing.
  if (change.cause === 'change_repeated') throw failure;
  return flagFailure(tx, context, change, failure);
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
  if (!isFlagged) return after;
  const flagged = await patchOrder(tx, after, { at, patch: { reviewReason: 'host_failed' } });
  // The new reason is a change of its own. The host may notify the merchant.
  const { host } = context;
  await tryHost(tx, 'applyChange', () => host.applyChange(tx, { before: after, after: flagged, cause, at }));
  return flagged;
}

/** The columns of an order before a change that the host does not have. */
export type MissedChange = Pick<Order, 'state' | 'payableUntil'>;

/** Returns the order's columns before the first change that the host missed. `undefined`: it has all of them. */
export async function findMissedChange(tx: Transaction, orderId: string): Promise<MissedChange | undefined> {
  let missed: MissedChange | undefined;
  for (const { kind, detail } of await findHistory(tx, orderId)) {
    const { from, to, payableUntil } = JSON.parse(detail);
    // An order that becomes paid makes what the host missed before meaningless.
    if (kind === 'host_applied' || (kind === 'moved' && to === 'paid')) missed = undefined;
    if (kind === 'host_failed') missed ??= { state: from, payableUntil };
  }
  return missed;
}
