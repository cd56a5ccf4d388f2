import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { openHostedPage, paySession } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import { failures, type Scale, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

/** Number of webhooks and of returns for each order. */
const COPIES = 10;

export const sameInstant: Scenario = {
  id: 'same-instant',
  description:
    'Webhooks, returns and the worker process each order at the same time: one fulfillment per order',
  limitMs: 400_000,
  run,
};

export const sameInstantTwo: Scenario = {
  id: 'same-instant-two',
  description: 'The same with two shop processes and one database',
  shops: 2,
  limitMs: 400_000,
  run,
};

async function run(environment: Environment, scale: Scale): ReturnType<Scenario['run']> {
  const { control } = environment;
  await control('settings', { webhooks: 'off' });
  const count = scale.of({ full: 1_000, short: 60 });
  const orders = await inParallel(numbers(count), 12, async () => {
    const { session } = await openHostedPage(environment);
    return { session, returnPath: await paySession(environment, session) };
  });
  await control('reset');
  await control('settings', { webhooks: 'off' });
  const statuses = await inParallel(orders, 12, (order) => Promise.all(sendAtOnce(environment, order)));
  const rejected = statuses.flat().filter((status) => status >= 400).length;
  return async () => {
    const { paid, allPaid } = await waitUntilPaid(environment, 60_000);
    const { fulfillments } = await readShopState(environment);
    const lookups = (await control('calls', 'read-session')).length;
    return {
      summary: `${count} orders × ${2 * COPIES} requests: ${fulfillments.length} fulfillments, ${lookups} lookups`,
      problems: failures([
        [allPaid, `${count - paid} charges are not paid orders`],
        [fulfillments.length === count, `${fulfillments.length} fulfillments for ${count} orders`],
        [lookups <= 2 * count, `${lookups} lookups, more than two per order`],
        [rejected === 0, `${rejected} webhooks or returns rejected`],
      ]),
    };
  };
}

/** Half of the webhook events have identical bodies. Half of the returns are POST requests. */
function sendAtOnce(
  environment: Environment,
  { session, returnPath }: { readonly session: string; readonly returnPath: string },
): readonly Promise<number>[] {
  return numbers(COPIES).flatMap((copy) => {
    const isEven = copy % 2 === 0;
    const action = isEven ? 'session.completed' : 'payment.transaction';
    const data = isEven ? { id: session } : { session_id: session, copy };
    const webhook = exchange(environment.nextUrl(), '/webhooks/payments', {
      method: 'POST',
      headers: environment.webhookHeaders,
      body: JSON.stringify({ action, type: 'checkout.hosted', data }),
    });
    const back = exchange(environment.nextUrl(), returnPath, { method: isEven ? 'GET' : 'POST' });
    return [webhook, back].map(async (reply) => (await reply).status);
  });
}
