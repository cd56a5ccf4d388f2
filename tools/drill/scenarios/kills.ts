import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { buyHosted, Customer, ONCE } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import type { Scale, Scenario } from '../scenario.js';
import { isReached, waitUntilVerified } from '../settlement.js';

const CHECKOUTS_PER_KILL = 40;
const CONCURRENT_CHECKOUTS = 10;
/** Each retry may wait until the lease of a killed process expires. */
const CONCURRENT_RETRIES = 64;
const MAX_CARTS = 3;
/** About the time of a restart, so that the next customer finds the shop running. */
const RESTART_MS = 500;

export const kills: Scenario = {
  id: 'kills',
  description: 'The shop is killed repeatedly while customers buy: no acknowledged checkout and no charge is lost',
  limitMs: 1_200_000,
  async run(environment, scale) {
    const times = scale.of({ full: 100, short: 3 });
    const count = times * CHECKOUTS_PER_KILL;
    const run: Run = { environment, scale, acknowledged: [] };
    const interrupted: Customer[] = [];
    const killing = killRepeatedly(run, times);
    // The error is reported where the promise is awaited.
    killing.catch(() => {});
    await inParallel(numbers(count), CONCURRENT_CHECKOUTS, async () => {
      const customer = new Customer(environment);
      const isPaid = await buy(run, customer).catch(() => false);
      if (isPaid) return;
      interrupted.push(customer);
      await delay(RESTART_MS);
    });
    await killing;
    return async () => {
      const retried = await inParallel(interrupted, CONCURRENT_RETRIES, (customer) =>
        buyWithRetries(run, customer).catch(() => false),
      );
      const failed = retried.filter((isPaid) => !isPaid).length;
      const { paid, lost, slowestS, allPaid } = await waitUntilVerified(environment, 120_000);
      const stored = new Set((await readShopState(environment)).attempts.map(({ gatewayId }) => gatewayId));
      const missing = run.acknowledged.filter((session) => !stored.has(session)).length;
      return {
        summary: `${times} kills over ${count} checkouts, ${interrupted.length} retried; ${paid} paid, ${lost} lost, slowest ${slowestS} s`,
        checks: [
          [allPaid, `${lost} lost after two minutes`],
          [missing === 0, `${missing} acknowledged checkouts are missing`],
          [failed === 0, `${failed} customers could not buy`],
        ],
      };
    };
  },
};

interface Run {
  readonly environment: Environment;
  readonly scale: Scale;
  /** Ids of sessions to which a customer was redirected. */
  readonly acknowledged: string[];
}

async function killRepeatedly({ environment, scale, acknowledged }: Run, times: number): Promise<void> {
  const [shop] = environment.shops;
  const { random } = scale;
  for (const kill of numbers(times)) {
    const due = kill * CHECKOUTS_PER_KILL + random.below(CHECKOUTS_PER_KILL);
    // 4 s limit: if all customers wait after lost responses, the next kill happens anyway.
    await isReached(() => acknowledged.length >= due, { withinMs: 4_000, everyMs: 5 });
    await delay(random.below(40));
    await shop.kill();
    await shop.start();
  }
}

/** Returns whether the customer paid. Throws if a response before the payment is lost. */
async function buy(run: Run, customer: Customer, retries = ONCE): Promise<boolean> {
  const returnPath = await buyHosted(run, customer, retries);
  if (returnPath === undefined) return false;
  // One of four customers closes the browser. The shop may be down when the others return.
  if (run.scale.random.below(4) > 0) await customer.get(returnPath).catch(() => undefined);
  return true;
}

/** Retries with pauses, and with a new cart if the old one is gone. */
async function buyWithRetries(run: Run, customer: Customer): Promise<boolean> {
  const retries = { tries: 20, pauseMs: () => 3_000 + run.scale.random.below(9_000) };
  for (const _ of numbers(MAX_CARTS)) if (await buy(run, customer, retries)) return true;
  return false;
}
