/** Webhooks are lost or the gateway is unreachable. The shop must still find every payment. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { expectStatus, openHostedPage, paySession, payWithoutReturn } from '../customer.js';
import { readShopState } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

/** The worker reconciles a session for the first time 20 s after its creation. */
const FIRST_LOOKUP_S = 20;
/** The lookup's deadline of 4 s plus 0.5 s for the shop. */
const MAX_PAGE_MS = 4_500;

export const bothLost: Scenario = {
  id: 'both-lost',
  description: 'Return and webhook are both lost: the worker finds every payment',
  limitMs: 240_000,
  async run(environment, scale) {
    await environment.control('settings', { webhooks: 'off' });
    const count = scale.of({ full: 500, short: 60 });
    await inParallel(numbers(count), 12, () => payWithoutReturn(environment));
    return async () => {
      const { paid, slowestS, allPaid } = await waitUntilPaid(environment, 120_000);
      const lateS = Math.max(0, slowestS - FIRST_LOOKUP_S).toFixed(1);
      return {
        summary: `${paid} of ${count} found, the last ${lateS} s after the first possible lookup`,
        problems: failures([
          [allPaid, `${count - paid} were not found`],
          [Number(lateS) <= 60, `the last was found ${lateS} s after the first possible lookup`],
        ]),
      };
    };
  },
};

export const gatewayDown: Scenario = {
  id: 'service-down',
  description:
    'The gateway is down while customers return: every page is correct, and all payments settle afterwards',
  limitMs: 300_000,
  async run(environment, scale) {
    const { control, simulator } = environment;
    const count = scale.of({ full: 500, short: 60 });
    const outageMs = scale.short ? 6_000 : 40_000;
    await control('settings', { webhooks: 'off' });
    const paid = await inParallel(numbers(count), 12, async () => {
      const { customer, session } = await openHostedPage(environment);
      return { customer, returnPath: await paySession(environment, session) };
    });
    const wrong: string[] = [];
    let slowestMs = 0;
    const visit = async ({ customer, returnPath }: (typeof paid)[number]) => {
      const state = await customer.followToOrder(expectStatus(await customer.get(returnPath), 303));
      slowestMs = Math.max(slowestMs, customer.slowestMs);
      // The worker may have found the payment before the outage.
      if (state !== 'pending' && state !== 'paid') wrong.push(state);
    };
    // In the first half the gateway answers 503. In the second half it is not running.
    await control('fault', 'read-session', { kind: 'status', status: 503 });
    const half = Math.ceil(count / 2);
    await spreadOver(outageMs / 2, paid.slice(0, half), visit);
    await simulator.kill();
    await spreadOver(outageMs / 2, paid.slice(half), visit);
    await simulator.start();
    const recoveredAt = Date.now();
    return async () => {
      const settlement = await waitUntilPaid(environment, 120_000);
      const { orders } = await readShopState(environment);
      const last = Math.max(...orders.map(({ paidAt }) => paidAt ?? 0));
      const settledS = Math.max(0, last - recoveredAt) / 1000;
      return {
        summary: `${count} returned in ${outageMs / 1000} s: ${settlement.paid} paid, the last ${settledS.toFixed(1)} s after recovery`,
        problems: failures([
          [settlement.allPaid, `${settlement.lost} lost after two minutes`],
          [wrong.length === 0, `${wrong.length} pages were wrong ("${wrong[0]}")`],
          [slowestMs <= MAX_PAGE_MS, `a page took ${slowestMs} ms`],
          [settledS <= 60, `settled ${settledS} s after recovery`],
        ]),
      };
    };
  },
};

async function spreadOver<T>(
  ms: number,
  items: readonly T[],
  visit: (item: T) => Promise<void>,
): Promise<void> {
  await Promise.all(items.map((item, index) => delay((index * ms) / items.length).then(() => visit(item))));
}
