/** A process is frozen while it holds an order and a product. The others sell on, and lose no answer of the gateway. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { Customer, customerWithCart, paySession, redirectedSession, retry } from '../customer.js';
import { setStock } from '../database-state.js';
import { type Environment, readShopState } from '../environment.js';
import type { Scenario } from '../scenario.js';
import { isReached, waitUntilVerified } from '../settlement.js';

const PRELOAD = fileURLToPath(new URL('../freeze-at-lock.js', import.meta.url));
/** As many as a process has connections for transactions. */
const OTHERS = 10;
const STOCK = 1_000;
const MAX_WAIT_MS = 15_000;
const MAX_READ_MS = 2_000;
/** Also after a lock of 3 s, so that a customer tries again at once. */
const RETRIES = { tries: 200, pauseMs: () => 100 };

export const frozenProcess: Scenario = {
  id: 'frozen-process',
  description:
    'A process is frozen while it holds an order and a product: others sell within 15 s, and no answer is lost',
  flows: ['hosted', 'card'],
  shops: 2,
  limitMs: 120_000,
  async run(environment) {
    const { control, databaseUrl, product, shops, shopPorts } = environment;
    await setStock(databaseUrl, product.id, STOCK);
    const [first, second] = shopPorts.map((port) => ({ ...environment, nextUrl: () => `http://localhost:${port}` }));
    const [, frozen] = shops;
    if (!first || !second || !frozen) throw new Error('the scenario needs two shops');
    await frozen.kill();
    await frozen.start({ nodeOptions: ['--import', PRELOAD] });
    const payer = await customerWithCart(first);
    const others = await Promise.all(numbers(OTHERS).map(() => customerWithCart(first)));
    await control('fault', 'process', { kind: 'hold' });
    const paying = payer.payByCard();
    await isReached(async () => (await control('calls', 'process')).length === 1, { withinMs: 10_000 });
    frozen.signal('SIGUSR2');
    const inSecondTab = sameCustomer(second, payer)
      .payHosted()
      .catch(() => undefined);
    const isFrozen = await isReached(async () => !(await answers(second)), { withinMs: 10_000, everyMs: 50 });
    const frozenAt = performance.now();
    await control('clearFaults');
    await control('release');
    const [sessions, readMs] = await Promise.all([
      Promise.all(others.map((customer) => buy(first, customer))),
      slowestRead(first),
    ]);
    const soldMs = performance.now() - frozenAt;
    const shown = await payer.followToOrder(await paying);
    frozen.signal('SIGCONT');
    await inSecondTab;
    const isAwake = await isReached(() => answers(second), { withinMs: 10_000 });
    await Promise.all(sessions.map((session) => paySession(environment, session)));
    return async () => {
      const { paid, allPaid } = await waitUntilVerified(environment, 60_000);
      const { transitions } = await readShopState(environment);
      const unknown = transitions.filter(({ to }) => to === 'outcome_unknown').length;
      return {
        summary: `${OTHERS} others sold to in ${(soldMs / 1000).toFixed(1)} s, slowest page ${readMs} ms, ${paid} paid, ${unknown} unknown, the payer saw "${shown}"`,
        checks: [
          [isFrozen && isAwake, 'the process did not freeze, or did not continue'],
          [soldMs <= MAX_WAIT_MS, `the others waited ${soldMs} ms`],
          [readMs <= MAX_READ_MS, `a page took ${readMs} ms meanwhile`],
          [unknown === 0, `${unknown} orders had an unknown outcome`],
          [allPaid && paid === OTHERS + 1, `${paid} of ${OTHERS + 1} charges are paid orders`],
        ],
      };
    };
  },
};

/** Returns a customer of another process with the same cookies. */
function sameCustomer(environment: Environment, { agent }: Customer): Customer {
  const customer = new Customer(environment);
  customer.agent.jar = agent.jar;
  return customer;
}

/** Repeats the checkout until the payment page opens. Returns its session. */
async function buy(environment: Environment, customer: Customer): Promise<string> {
  const session = redirectedSession(environment, await retry(RETRIES, () => customer.payHosted()));
  if (session === undefined) throw new Error('no payment page');
  return session;
}

/** Reads pages for a while. Returns the duration of the slowest in milliseconds. */
async function slowestRead(environment: Environment): Promise<number> {
  const reader = new Customer(environment);
  for (const _ of numbers(20)) {
    await reader.get('/');
    await reader.get('/cart');
    await delay(100);
  }
  return reader.slowestMs;
}

async function answers({ nextUrl }: Environment): Promise<boolean> {
  const reply = await exchange(nextUrl(), '/healthz', { timeoutMs: 500 }).catch(() => undefined);
  return reply?.status === 200;
}
