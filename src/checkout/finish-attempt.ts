import { setTimeout as delay } from 'node:timers/promises';
import { faultName } from '../core/fault-name.js';
import type { OrderState } from '../core/order.js';
import { type Attempt, findAttemptAndHolder, putAttempt } from '../store/attempts.js';
import type { Queries } from '../store/database.js';
import { isPassingFault } from '../store/database-fault.js';
import { recordEvent } from '../store/history.js';
import { lockOrder, moveOrder, type Order } from '../store/orders.js';
import { moveToUnknown } from './mend-lapsed-attempt.js';
import type { CheckoutServices } from './services.js';

/** When the worker first looks at an opened attempt: shoppers who come back are settled long before. */
const FIRST_LOOK_MS = 20_000;

/** How long an answer of the service is kept in hand for a database that cannot take it. */
const PATIENCE_MS = 6_000;
const PAUSE_MS = 100;

/** What the service's answer to the call that starts an attempt comes down to. */
export type Outcome =
  | { readonly kind: 'opened'; readonly serviceId: string; readonly url?: string; readonly words?: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly serviceId?: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Writes what the service answered, in one transaction, again and again while the database is crowded: what was opened or
 * charged must not be forgotten for a moment's sake. `late` when another caller had taken the attempt for lost, the
 * order was paid meanwhile, or the answer is about something else: then its address must not be handed out.
 */
export async function finishAttempt(
  services: CheckoutServices,
  attempt: Attempt,
  answered: Outcome,
): Promise<{ readonly order: Order; readonly late: boolean }> {
  const { became, ...finished } = await writePatiently(services, attempt, answered);
  if (became) {
    const { id, kind } = attempt;
    services.observer.attemptBecame(kind, became);
    services.log.info('attempt_moved', { order: finished.order.number, attempt: id, kind, to: became });
  }
  return finished;
}

interface Written {
  readonly order: Order;
  readonly late: boolean;
  /** Absent: the attempt stays what it was. */
  readonly became?: Attempt['state'];
}

async function writePatiently(
  services: CheckoutServices,
  attempt: Attempt,
  answered: Outcome,
): Promise<Written> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await write(services, attempt, answered);
    } catch (error) {
      if (!isPassingFault(error) || performance.now() > endsAt) throw error;
      services.log.warn('answer_put_off', { attempt: attempt.id, reason: faultName(error) });
    }
    await delay(PAUSE_MS);
  }
}

function write(services: CheckoutServices, attempt: Attempt, answered: Outcome): Promise<Written> {
  const at = services.clock.now();
  return services.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    const serviceId = 'serviceId' in answered ? answered.serviceId : undefined;
    const { attempt: present, isTaken } = await findAttemptAndHolder(queries, attempt.id, serviceId);
    // The connection broke when it had been written, and nobody was told.
    if (isWritten(order, present, answered)) return { order, late: false };
    // An answer with the id of another attempt says nothing about this one.
    const outcome = isTaken ? lost(attempt) : answered;
    const finding = findingOf(order, present);
    const late = finding !== 'awaited' || outcome !== answered;
    await recordEvent(queries, {
      orderId: order.id,
      at,
      kind: `attempt_${outcome.kind}`,
      detail: { attempt: attempt.ordinal, late, ...('reason' in outcome && { reason: outcome.reason }) },
    });
    const state = stateAfter(outcome, finding, present);
    const patch = { ...patchAfter(outcome), nextCheckAt: at + FIRST_LOOK_MS };
    await putAttempt(queries, attempt.id, { state, at, patch });
    const to = orderStateAfter(outcome, finding);
    const moved = await move(queries, order, { to, outcome, at });
    return { order: moved, late, ...(state !== present?.state && { became: state }) };
  });
}

function move(
  queries: Queries,
  order: Order,
  {
    to,
    outcome,
    at,
  }: { readonly to: OrderState | undefined; readonly outcome: Outcome; readonly at: number },
): Promise<Order> {
  if (to && order.state !== to) return moveOrder(queries, order, { to, at });
  return outcome.kind === 'unknown' ? moveToUnknown(queries, order, at) : Promise.resolve(order);
}

function isWritten(order: Order, present: Attempt | undefined, answered: Outcome): boolean {
  const isOpen = order.state === 'pending' && present?.state === 'open';
  return isOpen && answered.kind === 'opened' && answered.serviceId === present.serviceId;
}

function lost(attempt: Attempt): Outcome {
  return { kind: attempt.kind === 'card' ? 'unknown' : 'failed', reason: 'id_in_use' };
}

/** `found`: a card call that was taken for lost; its answer ends the doubt. `overtaken`: others went on without it. */
type Finding = 'awaited' | 'found' | 'overtaken';

function findingOf(order: Order, present: Attempt | undefined): Finding {
  if (order.state === 'paid' || order.state === 'review') return 'overtaken';
  if (present?.state === 'creating') return 'awaited';
  return present?.state === 'unknown' && order.state === 'outcome_unknown' ? 'found' : 'overtaken';
}

function stateAfter(outcome: Outcome, finding: Finding, present: Attempt | undefined): Attempt['state'] {
  // Money that was given back by hand stays given back.
  if (present?.state === 'refunded') return 'refunded';
  if (outcome.kind === 'opened') return finding === 'overtaken' ? 'superseded' : 'open';
  return outcome.kind;
}

function orderStateAfter(outcome: Outcome, finding: Finding): OrderState | undefined {
  if (outcome.kind === 'opened') return finding === 'overtaken' ? undefined : 'pending';
  return outcome.kind === 'failed' && finding === 'found' ? 'declined' : undefined;
}

function patchAfter(outcome: Outcome): Partial<Pick<Attempt, 'serviceId' | 'redirectUrl' | 'words'>> {
  if (outcome.kind === 'unknown') return {};
  return {
    ...(outcome.serviceId !== undefined && { serviceId: outcome.serviceId }),
    ...(outcome.kind === 'opened' && outcome.url !== undefined && { redirectUrl: outcome.url }),
    ...(outcome.kind === 'opened' && outcome.words !== undefined && { words: outcome.words }),
  };
}
