/** Commands of the model test about payments past the gateway. */

import { paymentsOf, refundPayment } from '@tianguis/payments/testing';
import type fc from 'fast-check';
import { always, type Command } from '../../../../test/payments-in-shop/model/commands.js';
import type { System } from '../../../../test/payments-in-shop/model/system.js';
import { dayOf } from '../../../shop/rules/mexico-day.js';

export const COMMANDS: fc.Arbitrary<Command>[] = [
  always('merchant records cash', (system) => recordCash(system)),
  always('two admin users record cash, and the customer returns', async (system) => {
    await Promise.all([recordCash(system), recordCash(system), system.settleAll('return')]);
  }),
  always('merchant reverses payments outside', reverse),
];

async function recordCash(system: System): Promise<void> {
  const paidOn = dayOf(system.context.clock.now());
  for (const { id, version } of await system.orders()) {
    const request = { orderId: id, version, method: '01', paidOn, note: '', by: 'ana' };
    const { kind } = await paymentsOf(system.context).outside.record(request);
    if (kind === 'recorded') system.recordedOutside.add(id);
  }
}

async function reverse(system: System): Promise<void> {
  const { clock } = system.context;
  for (const order of await system.orders())
    for (const { attempt, limit, ways } of await paymentsOf(system.context).refunds.options(order))
      if (ways.includes('reversal'))
        await refundPayment(system.context, {
          ...{ orderId: order.id, attemptId: attempt.id, version: order.version, by: 'ana', reason: 'no llegó' },
          ...{ way: 'reversal', amount: limit, returnsGoods: true, refundedOn: dayOf(clock.now()) },
        });
}
