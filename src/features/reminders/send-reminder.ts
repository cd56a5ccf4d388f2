/** From a due order to its queued reminder. */

import { findAttempts, isBlockedByReplaced, jobKey, queueJob } from '@tianguis/payments/back-office';
import { withDeadline } from '@tianguis/payments/operations';
import { errorName } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { isClosed } from '../../shop/rules/shop-settings.js';
import { lockCartsOfOrders } from '../../tables/carts.js';
import { mailboxKey } from '../../tables/client-limits.js';
import type { Db } from '../../tables/database.js';
import { lockOrder, type Order } from '../../tables/orders.js';
import { isOnSale } from '../pay-link/is-on-sale.js';
import { decideReminder, type ReminderDecision, type ReminderInput } from './decide-reminder.js';
import { countReminded, leaseOrdersToRemind, mayBeBoughtAgain, putReminded, putReminderFrom } from './repository.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** For all mailboxes together. */
const MAX_PER_HOUR = 100;
/** Delay of a reminder above the maximum. */
const FULL_MS = 10 * 60_000;
const BATCH = 8;
const LEASE_MS = 60_000;
/** Below the lease, so that no other worker leases the order meanwhile. */
const DEADLINE_MS = 45_000;

/**
 * Decides about one batch of due reminders and returns the number of leased orders. Does nothing without `REMINDER_HOURS`.
 * A failed order does not affect others and is due again when its lease expires.
 */
export async function processReminders(context: CheckoutContext): Promise<number> {
  const { db, clock, config, log, settings } = context;
  const { reminderMs } = config;
  // While the shop is closed, the orders could not be paid.
  if (reminderMs === undefined || isClosed(settings.current(), clock.now())) return 0;
  const at = clock.now() - reminderMs;
  const ids = await leaseOrdersToRemind(db.queries, { at, leaseUntil: at + LEASE_MS, limit: BATCH });
  await Promise.all(
    ids.map((id) =>
      withDeadline(DEADLINE_MS, () => remind(context, id, reminderMs)).catch((error: unknown) =>
        log.error('reminder.failed', { reason: errorName(error) }),
      ),
    ),
  );
  return ids.length;
}

/** Queues the reminder of an order, ends its wait, or stores when the worker decides again. */
async function remind(context: CheckoutContext, orderId: string, reminderMs: number): Promise<void> {
  const { kind } = await decideAndStore(context, orderId, reminderMs);
  if (kind !== 'look_up') return;
  const { lookups } = await context.payments.verify(orderId, 'worker');
  await decideAndStore(context, orderId, reminderMs, lookups);
}

function decideAndStore(
  context: CheckoutContext,
  orderId: string,
  reminderMs: number,
  lookups?: ReminderInput['lookups'],
): Promise<ReminderDecision> {
  return context.db.transaction(async (queries) => {
    // For the lock order see tables/stock.ts.
    await lockCartsOfOrders(queries, [orderId]);
    const order = await lockOrder(queries, orderId);
    const at = context.clock.now();
    const wanted = await readDecision(queries, context, order, { lookups, reminderMs, at });
    const decision = wanted.kind === 'send' ? await limitReminder(queries, order, at) : wanted;
    // The key ensures that an order has one reminder.
    if (decision.kind === 'send')
      await queueJob(queries, { key: jobKey('reminder', orderId), orderId, job: 'reminder', at });
    if (decision.kind === 'look_up') return decision;
    await putReminderFrom(queries, orderId, 'until' in decision ? decision.until - reminderMs : null);
    return decision;
  });
}

/** A mailbox gets one reminder a day. An order whose mailbox got one gets none, so that no later day repeats it. */
async function limitReminder(queries: Db, { email }: Order, at: number): Promise<ReminderDecision> {
  if ((await countReminded(queries, at - HOUR_MS)) >= MAX_PER_HOUR) return { kind: 'too_early', until: at + FULL_MS };
  const isFirst = await putReminded(queries, mailboxKey(email), { at, since: at - DAY_MS });
  return { kind: isFirst ? 'send' : 'never' };
}

/** Reads what the decision about an order depends on, and decides. Calls no gateway. */
export async function readDecision(
  queries: Db,
  { discountCodes }: Pick<CheckoutContext, 'discountCodes'>,
  order: Order,
  input: Pick<ReminderInput, 'lookups' | 'reminderMs' | 'at'>,
): Promise<ReminderDecision> {
  const hasCode = order.discountCode === null || (await discountCodes?.isAvailable(queries, order, { at: input.at }));
  return decideReminder({
    ...input,
    order,
    isBlocked: await isBlockedByReplaced(queries, order.id),
    isBoughtAgain: await mayBeBoughtAgain(queries, order),
    isOnSale: hasCode === true && (await isOnSale(queries, order, input.at)),
    attempts: await findAttempts(queries, order.id),
  });
}
