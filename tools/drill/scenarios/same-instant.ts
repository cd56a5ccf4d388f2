import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { Customer, type OpenPage, pay } from '../customer.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { untilAllPaid } from '../settling.js';
import type { Stage } from '../stage.js';

const WEBHOOKS = 10;
const RETURNS = 10;
/** Number of orders whose webhooks and returns are sent concurrently. */
const ORDERS_AT_ONCE = 12;

export const sameInstant: Scenario = {
  id: 'same-instant',
  says: 'Webhooks, returns and the worker process each order at the same time: one fulfillment per order',
  ties: 'cases 3, 23, 28, 33, complaints 4, 13, 14',
  limitMs: 400_000,
  play: playStorm,
};

export const sameInstantTwo: Scenario = {
  id: 'same-instant-two',
  says: 'The same with two shop processes and one database',
  ties: 'case 34, complaint 14',
  shops: 2,
  limitMs: 400_000,
  play: playStorm,
};

async function playStorm(stage: Stage, scale: Scale): Promise<Aftermath> {
  await stage.strings.webhooks('off');
  const count = scale.of({ full: 1_000, short: 60 });
  const pages = await inParallel(numbers(count), 12, () => new Customer(stage).openPage());
  const paid = await inParallel(pages, 12, async (page) => ({ page, back: await pay(stage, page.session) }));
  await stage.strings.reset();
  await stage.strings.webhooks('off');
  const answers = await inParallel(paid, ORDERS_AT_ONCE, ({ page, back }) => storm(stage, page, back));
  const failures = answers.flat().filter((status) => status >= 400).length;
  return async () => {
    const settled = await untilAllPaid(stage, 60_000);
    const { books } = await stage.look();
    const lookups = (await stage.strings.calls('read-session')).length;
    const fulfillments = books.fulfillments.length;
    return {
      figures: `${count} orders × (${WEBHOOKS} webhooks + ${RETURNS} returns): ${fulfillments} fulfillments, ${lookups} lookups`,
      problems: [
        ...unless(settled.allPaid, `${count - settled.paid} charges are not paid orders`),
        ...unless(fulfillments === count, `${fulfillments} fulfillments for ${count} orders`),
        ...unless(lookups <= 2 * count, `${lookups} lookups, more than two per order`),
        ...unless(failures === 0, `${failures} webhooks or returns rejected`),
      ],
    };
  };
}

function storm(stage: Stage, { session }: OpenPage, back: string): Promise<readonly number[]> {
  const webhooks = numbers(WEBHOOKS).map(async (copy) => {
    const { status } = await exchange(stage.nextUrl(), '/webhooks/payments', {
      method: 'POST',
      headers: stage.webhookHeaders,
      body: JSON.stringify(message(session, copy)),
    });
    return status;
  });
  const returns = numbers(RETURNS).map(async (copy) => {
    const method = copy % 2 === 0 ? 'GET' : 'POST';
    const { status } = await exchange(stage.nextUrl(), back, { method });
    return status;
  });
  return Promise.all([...webhooks, ...returns]);
}

/** Half of the webhook events have identical bodies. */
function message(session: string, copy: number): object {
  const action = copy % 2 === 0 ? 'session.completed' : 'payment.transaction';
  const data = copy % 2 === 0 ? { id: session } : { session_id: session, copy };
  return { action, type: 'checkout.hosted', data };
}
