/** The merchant changes the shipping price while customers check out. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { contact } from '../../../test/support/customer.js';
import { customerWithCart, paySession, redirectedSession } from '../customer.js';
import { changeShippingPrice } from '../database-state.js';
import type { Environment } from '../environment.js';
import type { Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

const FIRST_PRICE = 100;
const PRICES = 50;
/** Between two changes. Most customers confirm a total before it changes again. */
const PAUSE_MS = 200;
/** Each is confirmed on a page with the new total. */
const MAX_ROUNDS = 30;

export const changedPrice: Scenario = {
  id: 'changed-price',
  description:
    'The shipping price changes during checkouts on two processes: no order whose total differs from its page',
  shops: 2,
  async run(environment, scale) {
    const count = scale.of({ full: 200, short: 24 });
    const sold = new AbortController();
    const changing = changePrices(environment, sold.signal);
    const bought = await inParallel(numbers(count), 8, () => buy(environment)).finally(() => sold.abort());
    const changes = await changing;
    const sessions = await environment.control('sessions');
    const amounts = new Map(sessions.map(({ id, request }) => [id, request.amount_total]));
    const wrong = bought.filter(({ session, total }) => amounts.get(session) !== total).length;
    const rounds = bought.reduce((sum, each) => sum + each.rounds, 0);
    await inParallel(bought, 8, ({ session }) => paySession(environment, session));
    return async () => {
      const { paid, allPaid } = await waitUntilVerified(environment, 60_000);
      return {
        summary: `${changes} changes during ${count} checkouts: ${rounds - count} confirmed again, ${paid} paid`,
        checks: [
          [wrong === 0, `${wrong} orders have another total than their page`],
          [changes > 1, 'the price did not change'],
          [allPaid && paid === count, `${paid} of ${count} orders are paid`],
        ],
      };
    };
  },
};

/** Changes the price until the signal aborts. Returns how often. */
async function changePrices({ databaseUrl }: Environment, signal: AbortSignal): Promise<number> {
  let changes = 0;
  for (; !signal.aborted; changes += 1) {
    await changeShippingPrice(databaseUrl, FIRST_PRICE + (changes % PRICES));
    await delay(PAUSE_MS);
  }
  return changes;
}

/** Repeats the checkout with the total of the page until the shop accepts it. */
async function buy(environment: Environment) {
  const customer = await customerWithCart(environment);
  for (let rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
    const { fields, total } = await customer.readCheckout();
    const session = redirectedSession(environment, await customer.post('/checkout/hosted', { ...contact, ...fields }));
    if (session !== undefined) return { session, total, rounds };
  }
  throw new Error('the total was never accepted');
}
