import { inParallel, numbers } from '../../../test/support/crowd.js';
import { customerWithCart, expectStatus, openHostedPage, paySession } from '../customer.js';
import type { Environment } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

const CUSTOMERS = 64;

export const parallel: Scenario = {
  id: 'parallel',
  description: '64 customers buy in parallel through every payment flow: no errors',
  limitMs: 180_000,
  async run(environment, scale) {
    const count = CUSTOMERS * scale.of({ full: 10, short: 1 });
    const errors: string[] = [];
    await inParallel(numbers(count), CUSTOMERS, async (index) => {
      const buy = PURCHASES[index % PURCHASES.length] ?? buyHosted;
      const state = await buy(environment).catch(String);
      if (state !== 'paid') errors.push(state);
    });
    return async () => {
      const { paid, allPaid } = await waitUntilPaid(environment, 120_000);
      return {
        summary: `${count} purchases: ${errors.length} errors, ${paid} paid`,
        problems: failures([
          [errors.length === 0, `${errors.length} errors ("${errors[0]}")`],
          [allPaid && paid === count, `${paid} of ${count} purchases are paid`],
        ]),
      };
    };
  },
};

/** The hosted page is twice as frequent. Each purchase returns the state that the order page shows. */
const PURCHASES = [buyHosted, buyHosted, buyByCard, buyWith3dSecure];

async function buyHosted(environment: Environment): Promise<string> {
  const { customer, session } = await openHostedPage(environment);
  return await customer.returnToShop(await paySession(environment, session));
}

async function buyByCard(environment: Environment): Promise<string> {
  const customer = await customerWithCart(environment);
  return await customer.followToOrder(expectStatus(await customer.payByCard(), 303));
}

async function buyWith3dSecure(environment: Environment): Promise<string> {
  const customer = await customerWithCart(environment);
  const bankUrl = await customer.openBankPage();
  return await customer.returnToShop(await customer.approveAtBank(bankUrl));
}
