/** Webhooks are lost or the gateway is unreachable. The shop must still find every payment. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { Customer, comeBack, type OpenPage, pay, stateOn } from '../customer.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { settleAll, untilAllPaid } from '../settling.js';
import type { Stage } from '../stage.js';

/** The worker reconciles a session for the first time 20 s after its creation. */
const FIRST_LOOK_S = 20;
/** Time limit of a page with a lookup: the lookup's deadline of 4 s plus 0.5 s for the shop. */
const LOOKUP_PAGE_MS = 4_500;

export const bothLost: Scenario = {
  id: 'both-lost',
  says: 'Return and webhook are both lost: the worker finds every payment',
  ties: 'cases 66, 131, 132, complaints 1, 3, 5-8',
  limitMs: 240_000,
  async play(stage, scale) {
    await stage.strings.webhooks('off');
    const count = scale.of({ full: 500, short: 60 });
    await inParallel(numbers(count), 12, async () =>
      pay(stage, (await new Customer(stage).openPage()).session),
    );
    return async () => {
      const settled = await untilAllPaid(stage, 120_000);
      const late = Math.max(0, settled.slowestS - FIRST_LOOK_S);
      return {
        figures: `${count} paid without notice: ${settled.paid} found, the last ${late.toFixed(1)} s after the first possible lookup`,
        problems: [
          ...unless(settled.allPaid, `${count - settled.paid} were not found`),
          ...unless(late <= 60, `the last was found ${late} s after the first possible lookup`),
        ],
      };
    };
  },
};

export const gatewayDown: Scenario = {
  id: 'service-down',
  says: 'The gateway is down while customers return: every page is correct, and all payments settle after the recovery',
  ties: 'cases 47, 64-66, complaints 16, 19, 20',
  limitMs: 300_000,
  play: playOutage,
};

async function playOutage(stage: Stage, scale: Scale): Promise<Aftermath> {
  const count = scale.of({ full: 500, short: 60 });
  const outageMs = scale.short ? 6_000 : 40_000;
  await stage.strings.webhooks('off');
  const pages = await inParallel(numbers(count), 12, () => new Customer(stage).openPage());
  const paid = await inParallel(pages, 12, async (page) => ({ page, back: await pay(stage, page.session) }));
  // In the first half the gateway answers 503. In the second half it is not running.
  await stage.strings.fault('read-session', { kind: 'status', status: 503 });
  const untrue: string[] = [];
  const waits: number[] = [];
  const visit = async ({ page, back }: { readonly page: OpenPage; readonly back: string }) => {
    const { customer } = page;
    const order = await comeBack(customer, back);
    waits.push(order.ms);
    // The worker may have found the payment before the outage.
    if (!['pending', 'paid'].includes(stateOn(order))) untrue.push(`${order.status} ${stateOn(order)}`);
  };
  const half = Math.ceil(paid.length / 2);
  await spreadOver(outageMs / 2, paid.slice(0, half), visit);
  await stage.killSimulator();
  await spreadOver(outageMs / 2, paid.slice(half), visit);
  const refused = await refusesQuickly(stage);
  await stage.startSimulator();
  const healedAt = Date.now();
  return async () => {
    const settled = await settleAll(stage, `${count} returned in ${outageMs / 1000} s of outage`);
    const { books } = await stage.look();
    const last = books.orders.reduce((latest, { paidAt }) => Math.max(latest, paidAt ?? 0), 0);
    const healS = Math.max(0, last - healedAt) / 1000;
    const slowest = Math.max(...waits);
    return {
      figures: `${settled.figures}, ${healS.toFixed(1)} s after recovery, slowest page ${Math.round(slowest)} ms`,
      problems: [
        ...settled.problems,
        ...refused,
        ...unless(untrue.length === 0, `${untrue.length} pages were wrong (${untrue[0]})`),
        ...unless(slowest <= LOOKUP_PAGE_MS, `a page took ${Math.round(slowest)} ms`),
        ...unless(healS <= 60, `settled only ${healS} s after recovery`),
      ],
    };
  };
}

async function spreadOver<T>(
  ms: number,
  items: readonly T[],
  visit: (item: T) => Promise<void>,
): Promise<void> {
  await Promise.all(
    items.map(async (item, index) => {
      await delay((index * ms) / items.length);
      await visit(item);
    }),
  );
}

/** Requires that a new checkout fails within 8.5 s with 503 and that the cart stays. */
async function refusesQuickly(stage: Stage): Promise<readonly string[]> {
  const customer = new Customer(stage);
  await customer.addToCart();
  const reply = await customer.payHosted();
  const cart = await customer.get('/cart');
  return [
    ...unless(reply.status === 503, `a checkout during the outage was answered ${reply.status}`),
    ...unless(reply.ms <= 8_500, `a checkout during the outage took ${Math.round(reply.ms)} ms`),
    ...unless(cart.text.includes('talavera'), 'the cart was gone after the outage'),
  ];
}
