/** Commands of the model test about refunds. */

import { centavos } from '@tianguis/payments/rules';
import { paymentsOf, refundPayment, resolveRefund } from '@tianguis/payments/testing';
import fc from 'fast-check';
import {
  always,
  type Command,
  dieDuring,
  given,
  times,
  withFaults,
} from '../../../../test/payments-in-shop/model/commands.js';
import type { System } from '../../../../test/payments-in-shop/model/system.js';
import { dayOf } from '../../../shop/rules/mexico-day.js';

const percents = fc.constantFrom(30, 100);

export const COMMANDS: fc.Arbitrary<Command>[] = [
  given('merchant refunds percent', percents, (system, percent) => refund(system, percent)),
  always('two admin users refund at once', (system) => refund(system, 50, 2)),
  given('merchant refunds percent, answer lost', fc.tuple(percents, times), (system, [percent, when]) =>
    withFaults(system, { refund: { kind: 'drop', when } }, () => refund(system, percent)),
  ),
  given('merchant refunds percent, pending', percents, async (system, percent) => {
    const { control } = system.simulator;
    control.settings({ refundStatus: 'Pending' });
    await refund(system, percent);
    control.settings({ refundStatus: 'Success' });
  }),
  given('merchant resolves refunds:', fc.constantFrom('check' as const, 'repeat' as const), (system, action) =>
    resolveRefunds(system, action),
  ),
  given('pending refunds end with', fc.constantFrom('Success' as const, 'Failed' as const), async (system, status) =>
    finishRefunds(system, status),
  ),
  given('process dies at the refund call,', times, (system, when) =>
    dieDuring(system, when, () => refund(system, 100)),
  ),
];

/** Refunds a part of what each attempt allows: card payments at the gateway, the others by a record. */
async function refund(system: System, percent: number, count = 1): Promise<void> {
  const { clock } = system.context;
  for (const order of await system.orders())
    for (const { attempt, limit, ways } of await paymentsOf(system.context).refunds.options(order)) {
      const request = {
        ...{ orderId: order.id, attemptId: attempt.id, version: order.version, by: 'ana', reason: '' },
        ...{ amount: centavos(Math.ceil((limit * percent) / 100)), returnsGoods: false },
        ...{
          way: ways.includes('gateway') ? ('gateway' as const) : ('record' as const),
          refundedOn: dayOf(clock.now()),
        },
      };
      await Promise.all(Array.from({ length: count }, () => refundPayment(system.context, request)));
    }
}

/** Resolves every refund that allows the action. With `check`, the merchant names each refund of the gateway. */
async function resolveRefunds(system: System, action: 'check' | 'repeat'): Promise<void> {
  const ids = action === 'check' ? system.simulator.control.refunds().map(({ id }) => id) : [undefined];
  for (const { id: refundId, orderId } of await system.refunds())
    for (const gatewayRefundId of ids) {
      const { version = 0 } = (await system.orders()).find(({ id }) => id === orderId) ?? {};
      const request = { orderId, refundId, version, action, gatewayRefundId, by: 'ana' };
      await resolveRefund(system.context, request);
    }
}

/** The gateway ends its pending refunds. */
function finishRefunds(system: System, status: 'Success' | 'Failed'): void {
  const { control } = system.simulator;
  for (const { id } of control.refunds()) control.finishRefund(id, status);
}
