/** One order is paid from its link on several devices at the same time. */
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { contact } from '../../../test/support/customer.js';
import { Customer, openDeclinedOrder, openHostedPage, paySession, redirectedSession } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import type { Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

const DEVICES = 4;
/** Orders that are paid by both flows. */
const DOUBLES = 3;
/** The person confirms that another payment of the order may be open. */
const CONFIRMED = { ...contact, pay_again: '1' };

export const twoDevices: Scenario = {
  id: 'two-devices',
  description: 'Several devices pay one order from its link: one charge per order, and a second payment is flagged',
  flows: ['hosted', 'card'],
  async run(environment, scale) {
    const { path: link } = await openOrder(environment);
    const page = await new Customer(environment).get(`${link}/pay/card`);
    if (page.status !== 200) return { summary: 'skipped: needs payment links', checks: [] };
    const count = scale.of({ full: 60, short: 6 });
    const orders = await inParallel(numbers(count), 2, () => openDeclinedOrder(environment));
    const byCard = orders.filter((_, index) => index % 2 === 0);
    const byPage = orders.filter((_, index) => index % 2 === 1);
    await inParallel(byCard, 2, (path) => onAllDevices(environment, (device) => device.payLinkByCard(path, CONFIRMED)));
    const pages = await inParallel(byPage, 2, (path) =>
      onAllDevices(environment, async (device) =>
        redirectedSession(environment, await device.post(`${path}/pay/hosted`, contact)),
      ),
    );
    const sessions = pages.map((found) => [...new Set(found.filter((id) => id !== undefined))]);
    await inParallel(sessions.flat(), 4, (session) => paySession(environment, session));
    await inParallel(numbers(DOUBLES), 3, () => payOnBoth(environment));
    return async () => {
      const expected = count + DOUBLES;
      await waitUntilVerified(environment, 60_000, (now) => now.paid === expected && now.review === DOUBLES);
      const { orders: all, ledger } = await readShopState(environment);
      const paid = all.filter(({ state }) => state === 'paid').length;
      const flagged = all.filter(({ reviewReason }) => reviewReason === 'second_payment').length;
      return {
        summary: `${expected} orders on ${DEVICES} devices: ${paid} paid, ${ledger.length} charges, ${flagged} flagged`,
        checks: [
          [sessions.every((each) => each.length === 1), 'devices of one order got different payment pages'],
          [paid === expected, `${paid} of ${expected} orders are paid`],
          [ledger.length === expected + DOUBLES, `${ledger.length} charges for ${expected + DOUBLES} payments`],
          [flagged === DOUBLES, `${flagged} of ${DOUBLES} second payments are flagged`],
        ],
      };
    };
  },
};

function onAllDevices<T>(environment: Environment, run: (device: Customer) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(numbers(DEVICES).map(() => run(new Customer(environment))));
}

/** Opens the hosted page of a new order. Returns its session and the path of the order. */
async function openOrder(environment: Environment) {
  const { session } = await openHostedPage(environment);
  const [opened] = (await environment.control('sessions')).filter(({ id }) => id === session);
  const path = (opened?.request.return_url ?? '').replace(/.*\/checkout\/return/, '/orders');
  return { session, path };
}

/** Pays one order on a hosted page, and by card from its link before the page is paid. */
async function payOnBoth(environment: Environment): Promise<void> {
  const { session, path } = await openOrder(environment);
  await new Customer(environment).payLinkByCard(path, CONFIRMED);
  await paySession(environment, session);
}
