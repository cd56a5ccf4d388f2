/** Customers, webhooks and the worker compete, with one shop process or with two. */
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { customerWithCart, openPaidPage, paySession, postWebhook, redirectedSession } from '../customer.js';
import { readStock, setStock } from '../database-state.js';
import { type Environment, readShopState } from '../environment.js';
import type { Scale, Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

const CUSTOMERS = 64;
const PIECES = 10;
/** Number of webhooks and of returns for each order. */
const COPIES = 10;

export const lastPiece: Scenario = {
  id: 'last-piece',
  description: '64 customers want the last 10 pieces: 10 can pay, 54 are refused before they pay',
  async run(environment) {
    const { databaseUrl, product } = environment;
    await setStock(databaseUrl, product.id, PIECES);
    const customers = await inParallel(numbers(CUSTOMERS), 16, () => customerWithCart(environment));
    const replies = await Promise.all(customers.map((customer) => customer.payHosted()));
    const sessions = replies.flatMap((reply) => redirectedSession(environment, reply) ?? []);
    const refused = replies.filter(({ status }) => status === 409).length;
    await inParallel(sessions, 8, (session) => paySession(environment, session));
    return async () => {
      const { paid } = await waitUntilVerified(environment, 60_000);
      const stock = await readStock(databaseUrl, product.id);
      return {
        summary: `${sessions.length} payment pages, ${refused} sold out, ${paid} paid, ${stock} in stock`,
        checks: [
          [sessions.length === PIECES, `${sessions.length} payment pages for ${PIECES} pieces`],
          [refused === CUSTOMERS - PIECES, `${refused} customers were refused because it is sold out`],
          [paid === PIECES && stock === 0, `${paid} orders are paid and ${stock} pieces are in stock`],
        ],
      };
    };
  },
};

/** Two processes of the shop compete through the database. */
export const lastPieceAtTwoShops: Scenario = {
  ...lastPiece,
  id: 'last-piece-two-shops',
  description: `${lastPiece.description}; two shops share the database`,
  shops: 2,
};

export const sameInstant: Scenario = {
  id: 'same-instant',
  description: 'Webhooks, returns and the worker process each order at the same time: one fulfillment per order',
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
  const orders = await inParallel(numbers(count), 12, () => openPaidPage(environment));
  await control('reset');
  await control('settings', { webhooks: 'off' });
  const statuses = await inParallel(orders, 12, (order) => Promise.all(sendAtOnce(environment, order)));
  const rejected = statuses.flat().filter((status) => status >= 400).length;
  return async () => {
    const { paid, allPaid } = await waitUntilVerified(environment, 60_000);
    const { fulfillments } = await readShopState(environment);
    const lookups = (await control('calls', 'read-session')).length;
    return {
      summary: `${count} orders × ${2 * COPIES} requests: ${fulfillments.length} fulfillments, ${lookups} lookups`,
      checks: [
        [allPaid, `${count - paid} charges are not paid orders`],
        [fulfillments.length === count, `${fulfillments.length} fulfillments for ${count} orders`],
        [lookups <= 2 * count, `${lookups} lookups, more than two per order`],
        [rejected === 0, `${rejected} webhooks or returns rejected`],
      ],
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
    const webhook = postWebhook(environment, JSON.stringify({ action, type: 'checkout.hosted', data }));
    const back = exchange(environment.nextUrl(), returnPath, { method: isEven ? 'GET' : 'POST' });
    return [webhook, back].map(async (reply) => (await reply).status);
  });
}
