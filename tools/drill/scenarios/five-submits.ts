import { inParallel, numbers } from '../../../test/support/crowd.js';
import { Customer, expectStatus, sessionBehind } from '../customer.js';
import { type Aftermath, at, type Scale, type Scenario, unless } from '../scenario.js';
import type { Stage } from '../stage.js';

const SUBMITS = 5;

export const fiveSubmits: Scenario = {
  id: 'five-submits',
  says: 'Each cart is submitted five times at once: one order and one payment page',
  ties: 'cases 37, 40, complaints 18, 21',
  limitMs: 240_000,
  play: playSubmits,
};

async function playSubmits(stage: Stage, scale: Scale): Promise<Aftermath> {
  const carts = scale.of({ full: 500, short: 60 });
  const pages = await inParallel(numbers(carts), 8, () => submitAtOnce(stage));
  const { books } = await stage.look();
  const sessions = await stage.strings.sessions();
  const open = sessions.filter(({ status }) => status === 'pending').length;
  const lonely = pages.filter((found) => new Set(found).size !== 1 || found[0] === undefined).length;
  return at({
    figures: `${carts} carts × ${SUBMITS} submits: ${books.orders.length} orders, ${open} open sessions`,
    problems: [
      ...unless(books.orders.length === carts, `${books.orders.length} orders for ${carts} carts`),
      ...unless(open <= carts, `${open} open sessions for ${carts} carts`),
      ...unless(lonely === 0, `${lonely} carts whose five responses did not lead to one page`),
    ],
  });
}

async function submitAtOnce(stage: Stage): Promise<readonly (string | undefined)[]> {
  const customer = new Customer(stage);
  expectStatus(await customer.addToCart(), 303);
  const replies = await Promise.all(numbers(SUBMITS).map(() => customer.payHosted()));
  return replies.map((reply) => sessionBehind(stage, reply));
}
