import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { abandonmentOf } from './rules/decide-start.js';
import { findAttempts } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { isPaidByOtherOrder, type Order, updateSuccessor } from './store/orders.js';

/**
 * Ends a locked order that a new one replaces, if {@link decideReplacement} allows it. The orders are linked, so that a payment
 * of both is detected. They are not linked if another order already paid for the earlier goods: then the new order is for
 * other goods. A paid order stays as it is. `by`: the person who decided it, in place of a checkout.
 */
export async function replaceOrder(
  tx: Transaction,
  context: PaymentContext,
  { earlier, successor, by }: { readonly earlier: Order; readonly successor: Order; readonly by?: string },
): Promise<void> {
  if (earlier.state === 'paid') return;
  const attempts = await findAttempts(tx, earlier.id);
  const attempt = attempts.find(({ live }) => live === 1) ?? attempts.at(-1);
  const at = context.clock.now();
  const isLinked = !(await isPaidByOtherOrder(tx, earlier));
  if (isLinked) await updateSuccessor(tx, earlier.id, successor.id);
  await applyTransition(tx, context, {
    order: earlier,
    attempt,
    event: { type: 'order_replaced' },
    trigger: by === undefined ? 'checkout' : 'merchant',
    at,
    patch: attempt && abandonmentOf(attempt, context.config.environment, at),
    orderPatch: isLinked ? { supersededBy: successor.id } : undefined,
    history: { kind: 'superseded', detail: { replacedBy: successor.number, by } },
  });
}
