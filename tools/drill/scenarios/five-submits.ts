import { inParallel, numbers } from '../../../test/support/crowd.js';
import { customerWithCart, redirectedSession } from '../customer.js';
import { readShopState } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';

const SUBMITS = 5;

export const fiveSubmits: Scenario = {
  id: 'five-submits',
  description: 'Each cart is submitted five times at once and once more later: one order and one hosted page',
  limitMs: 240_000,
  async run(environment, { of }) {
    const carts = of({ full: 500, short: 60 });
    const pages = await inParallel(numbers(carts), 8, async () => {
      const customer = await customerWithCart(environment);
      const replies = await Promise.all(numbers(SUBMITS).map(() => customer.payHosted()));
      replies.push(await customer.payHosted());
      return new Set(replies.map((reply) => redirectedSession(environment, reply)));
    });
    const { orders } = await readShopState(environment);
    const sessions = await environment.control('sessions');
    const open = sessions.filter(({ status }) => status === 'pending').length;
    const different = pages.filter((found) => found.size !== 1 || found.has(undefined)).length;
    return {
      summary: `${carts} carts × ${SUBMITS + 1} submits: ${orders.length} orders, ${open} open sessions`,
      problems: failures([
        [orders.length === carts, `${orders.length} orders for ${carts} carts`],
        [open <= carts, `${open} open sessions for ${carts} carts`],
        [different === 0, `${different} carts whose responses did not lead to one page`],
      ]),
    };
  },
};
