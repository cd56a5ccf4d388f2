import { inParallel, numbers } from '../../../test/support/crowd.js';
import { customerWithCart, paySession, redirectedSession } from '../customer.js';
import { readStock, setStock } from '../database-state.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

const CUSTOMERS = 64;
const PIECES = 10;

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
      const { paid } = await waitUntilPaid(environment, 60_000);
      const stock = await readStock(databaseUrl, product.id);
      return {
        summary: `${sessions.length} payment pages, ${refused} sold out, ${paid} paid, ${stock} in stock`,
        problems: failures([
          [sessions.length === PIECES, `${sessions.length} payment pages for ${PIECES} pieces`],
          [refused === CUSTOMERS - PIECES, `${refused} customers were refused because it is sold out`],
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
