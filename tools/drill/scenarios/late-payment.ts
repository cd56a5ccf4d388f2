/** Customers pay at the last moment, and the gateway reports it long after the end of the payment page. */
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { openHostedPage, paySession } from '../customer.js';
import { advancedClock, type Environment, readShopState } from '../environment.js';
import type { Scenario } from '../scenario.js';
import { isReached, waitUntilVerified } from '../settlement.js';

const MINUTE = 60_000;
/** The longest TTL of a payment page. */
const PAGE_MS = 24 * 60 * MINUTE;
const PENDING_MS = 40 * MINUTE;
const PROMISED_MS = 10 * MINUTE;
const POLL = { withinMs: 60_000, everyMs: 500 };

export const latePayment: Scenario = {
  id: 'late-payment',
  description: 'A session is pending 40 min past its end and then paid, without webhook and return: paid within 10 min',
  limitMs: 240_000,
  async run(environment, scale) {
    const { control } = environment;
    const count = scale.of({ full: 100, short: 12 });
    await control('settings', { webhooks: 'off', latePaymentMinutes: 10 * 24 * 60 });
    const pages = await inParallel(numbers(count), 6, () => openHostedPage(environment));
    const offers = await readOffers(environment);
    const endsInMs = Math.max(...offers.map(({ offerEndsAt }) => offerEndsAt)) - Date.now();
    await restartAt(environment, endsInMs + PENDING_MS);
    const isOver = async () => (await statesOf(environment)).every((state) => state === 'expired');
    const isEnded = await isReached(isOver, POLL);
    for (const { session } of pages) await paySession(environment, session);
    await restartAt(environment, endsInMs + PENDING_MS + PROMISED_MS);
    const { paid, lost } = await waitUntilVerified(environment, 60_000);
    return {
      summary: `${paid} of ${count} late payments found`,
      checks: [
        [endsInMs > 0 && endsInMs <= PAGE_MS, `the offers end in ${endsInMs} ms`],
        [isEnded, 'an order was not expired after the end of its payment page'],
        [paid === count && lost === 0, `${count - paid} late payments were not found`],
      ],
    };
  },
};

async function readOffers(environment: Environment) {
  return (await readShopState(environment)).attempts;
}

async function statesOf(environment: Environment): Promise<readonly string[]> {
  return (await readShopState(environment)).orders.map(({ state }) => state);
}

/** Restarts the shop with its clock ahead. The simulator's clock stands still, so its sessions stay open. */
async function restartAt({ shops }: Environment, aheadMs: number): Promise<void> {
  for (const shop of shops) {
    await shop.kill();
    await shop.start({ nodeOptions: advancedClock(aheadMs) });
  }
}
