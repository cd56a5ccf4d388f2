import { type Attempt, findAttempt, putAttempt } from '../store/attempts.js';
import { recordEvent } from '../store/history.js';
import { lockOrder, moveOrder, type Order } from '../store/orders.js';
import { moveToUnknown } from './mend-lapsed-attempt.js';
import type { CheckoutServices } from './services.js';

/** When the worker first looks at an opened attempt: shoppers who come back are settled long before. */
const FIRST_LOOK_MS = 20_000;

/** What the service's answer to the call that starts an attempt comes down to. */
export type Outcome =
  | { readonly kind: 'opened'; readonly serviceId: string; readonly url?: string; readonly words?: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly serviceId?: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Writes what the service answered, in one transaction. `late` when another caller had taken the attempt for lost, or
 * the order was paid meanwhile: then the answer is kept to be watched, and its address must not be handed out.
 */
export async function finishAttempt(
  services: CheckoutServices,
  attempt: Attempt,
  outcome: Outcome,
): Promise<{ readonly order: Order; readonly late: boolean }> {
  const at = services.clock.now();
  return services.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    const present = await findAttempt(queries, attempt.id);
    const late = present?.state !== 'creating' || order.state === 'paid' || order.state === 'review';
    await recordEvent(queries, {
      orderId: order.id,
      at,
      kind: `attempt_${outcome.kind}`,
      detail: { attempt: attempt.ordinal, late, ...('reason' in outcome && { reason: outcome.reason }) },
    });
    const state = stateAfter(outcome, late);
    const patch = { ...patchAfter(outcome), nextCheckAt: at + FIRST_LOOK_MS };
    await putAttempt(queries, attempt.id, { state, at, patch });
    if (!late && outcome.kind === 'opened' && order.state !== 'pending') {
      await moveOrder(queries, order, { to: 'pending', at });
    }
    if (outcome.kind === 'unknown') await moveToUnknown(queries, order, at);
    return { order: await lockOrder(queries, order.id), late };
  });
}

function stateAfter(outcome: Outcome, late: boolean): Attempt['state'] {
  if (outcome.kind === 'opened') return late ? 'superseded' : 'open';
  return outcome.kind;
}

function patchAfter(outcome: Outcome): Partial<Pick<Attempt, 'serviceId' | 'redirectUrl' | 'words'>> {
  if (outcome.kind === 'unknown') return {};
  return {
    ...(outcome.serviceId !== undefined && { serviceId: outcome.serviceId }),
    ...(outcome.kind === 'opened' && outcome.url !== undefined && { redirectUrl: outcome.url }),
    ...(outcome.kind === 'opened' && outcome.words !== undefined && { words: outcome.words }),
  };
}
