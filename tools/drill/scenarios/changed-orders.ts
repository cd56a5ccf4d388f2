/** Payments on a page that expired or was replaced. */
import { setTimeout as delay } from 'node:timers/promises';
import { openHostedPage, paySession, redirectedSession } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilKnown } from '../settlement.js';

/** Longer than the time for which a lookup counts as fresh (1 s). */
const FRESH_MS = 1_100;

export const latePayment: Scenario = {
  id: 'late-payment',
  description:
    'A payment reported after the session expired becomes a paid order or a review, and is not lost',
  async run(environment) {
    const { customer, session } = await openHostedPage(environment);
    await environment.control('expireSession', { id: session });
    const [order] = (await readShopState(environment)).orders;
    const state = await customer.returnToShop(`/checkout/return/${order?.token}`);
    await delay(FRESH_MS);
    const paid = { id: session, status: 'completed', transactionStatus: 'Success' };
    await environment.control('forceSession', paid);
    return async () => {
      const { lost } = await waitUntilKnown(environment, 40_000);
      return {
        summary: `${state}, then paid: ${lost} lost`,
        problems: failures([
          [state === 'expired', `the return showed "${state}"`],
          [lost === 0, 'the payment was lost'],
        ]),
      };
    };
  },
};

/** Opens two hosted pages: one before a change of the cart and one after it. */
async function openTwoPages(environment: Environment) {
  const { customer, session: first } = await openHostedPage(environment);
  await customer.add();
  const second = redirectedSession(environment, await customer.payHosted());
  if (second === undefined || second === first) throw new Error('the changed cart got no session of its own');
  await delay(FRESH_MS);
  return { customer, first, second };
}

export const secondPayment: Scenario = {
  id: 'second-payment',
  description:
    'A customer pays two hosted pages: one is paid, one in review. Another pays the older one only: paid',
  async run(environment) {
    const both = await openTwoPages(environment);
    await both.customer.returnToShop(await paySession(environment, both.second));
    await delay(FRESH_MS);
    await both.customer.returnToShop(await paySession(environment, both.first));
    const older = await openTwoPages(environment);
    await older.customer.returnToShop(await paySession(environment, older.first));
    return async () => {
      const { paid, review, lost } = await waitUntilKnown(environment, 40_000);
      return {
        summary: `3 charges: ${paid} paid, ${review} in review, ${lost} lost`,
        problems: failures([[paid === 2 && review === 1, 'expected 2 paid and 1 in review']]),
      };
    };
  },
};
