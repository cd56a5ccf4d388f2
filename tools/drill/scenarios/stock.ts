/** Customers who compete for the last pieces of a product. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { customerWithCart, openHostedPage, paySession, redirectedSession } from '../customer.js';
import { readStock, setStock } from '../database-state.js';
import { readShopState } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilKnown, waitUntilPaid } from '../settlement.js';

const CUSTOMERS = 64;
const PIECES = 10;
/** Longer than the time for which a lookup counts as fresh (1 s). */
const FRESH_MS = 1_100;

export const lastPiece: Scenario = {
  id: 'last-piece',
  description:
    '64 customers want the last 10 pieces: 10 can pay, 54 learn before paying that they are sold out',
  async run(environment) {
    const { databaseUrl, product } = environment;
    await setStock(databaseUrl, product.id, PIECES);
    const customers = await inParallel(numbers(CUSTOMERS), 16, () => customerWithCart(environment));
    const replies = await Promise.all(customers.map((customer) => customer.payHosted()));
    const sessions = replies.flatMap((reply) => redirectedSession(environment, reply) ?? []);
    const refused = replies.filter(({ status }) => status === 409).length;
    await inParallel(sessions, 8, (session) => paySession(environment, session));
    return async () => {
      const { paid } = await waitUntilPaid(environment, 60_000);
      const stock = await readStock(databaseUrl, product.id);
      return {
        summary: `${sessions.length} payment pages, ${refused} sold out, ${paid} paid, ${stock} in stock`,
        problems: failures([
          [sessions.length === PIECES, `${sessions.length} payment pages for ${PIECES} pieces`],
          [refused === CUSTOMERS - PIECES, `${refused} customers were told that it is sold out`],
          [paid === PIECES && stock === 0, `${paid} orders are paid and ${stock} pieces are in stock`],
        ]),
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

export const lateMoneyOversold: Scenario = {
  id: 'late-money-oversold',
  description:
    'A payment reported after the last piece was sold to another customer is paid and needs a review',
  async run(environment) {
    const { control, databaseUrl, product } = environment;
    await setStock(databaseUrl, product.id, 1);
    const late = await openHostedPage(environment);
    await control('expireSession', { id: late.session });
    const [order] = (await readShopState(environment)).orders;
    const state = await late.customer.returnToShop(`/checkout/return/${order?.token}`);
    const other = await openHostedPage(environment);
    await other.customer.returnToShop(await paySession(environment, other.session));
    await delay(FRESH_MS);
    await control('forceSession', { id: late.session, status: 'completed', transactionStatus: 'Success' });
    return async () => {
      const { paid, lost } = await waitUntilKnown(environment, 40_000);
      const { orders, fulfillments } = await readShopState(environment);
      const stock = await readStock(databaseUrl, product.id);
      const taken = fulfillments.filter(({ stockTaken }) => stockTaken === 1).length;
      const oversold = orders.filter(({ reviewReason }) => reviewReason === 'oversold').length;
      return {
        summary: `${state}, then ${paid} paid, ${oversold} oversold, ${taken} taken, ${stock} in stock`,
        problems: failures([
          [state === 'expired', `the return showed "${state}"`],
          [lost === 0 && paid === 2, `${paid} of 2 payments are paid, ${lost} lost`],
          [oversold === 1 && taken === 1 && stock === 0, 'the last piece was not sold exactly once'],
        ]),
      };
    };
  },
};
