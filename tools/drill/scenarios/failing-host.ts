/** The shop cannot write fulfillments, as with a bug of its own. Payments are stored, and a manager applies them again. */
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { allowFulfillments, refuseFulfillments } from '../../../test/support/refused-rows.js';
import { type Customer, expectStatus, openPaidPage } from '../customer.js';
import { changeDatabase } from '../database-state.js';
import { type Environment, readShopState } from '../environment.js';
import { signInManager } from '../refund-form.js';
import type { Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

export const failingHost: Scenario = {
  id: 'failing-host',
  description: 'The shop fails while orders become paid: all payments are kept, and a manager applies the orders again',
  async run(environment, { of }) {
    const { databaseUrl } = environment;
    const count = of({ full: 40, short: 6 });
    await changeDatabase(databaseUrl, refuseFulfillments);
    await inParallel(numbers(count), 6, () => pay(environment));
    const { paid, lost } = await waitUntilVerified(environment, 60_000);
    const failed = (await readShopState(environment)).orders.filter(
      ({ reviewReason }) => reviewReason === 'host_failed',
    );
    await changeDatabase(databaseUrl, allowFulfillments);
    const admin = await signInManager(environment, 'ana');
    for (const { number } of failed) await applyAgain(admin, number);
    const { orders, fulfillments } = await readShopState(environment);
    const repaired = orders.filter(({ state, reviewReason }) => state === 'paid' && reviewReason === null);
    return {
      summary: `${paid} of ${count} payments kept, ${failed.length} in review, ${repaired.length} applied again`,
      checks: [
        [paid === count && lost === 0, `${count - paid} payments were not kept`],
        [failed.length === count, `${count - failed.length} orders were not in review`],
        [repaired.length === count, `${count - repaired.length} orders were not applied again`],
        [fulfillments.length === count, `${fulfillments.length} fulfillments instead of ${count}`],
      ],
    };
  },
};

/** A customer pays on the hosted page, and returns. */
async function pay(environment: Environment): Promise<void> {
  const { customer, returnPath } = await openPaidPage(environment);
  await customer.get(returnPath);
}

/** The manager decides on the order's page that the shop applies the change again. */
async function applyAgain(admin: Customer, number: string): Promise<void> {
  const path = `/admin/orders/${number}`;
  const [, version = ''] = /name="version" value="(\d+)"/.exec((await admin.get(path)).text) ?? [];
  const fields = { decision: 'apply_again', decision_note: 'drill', version };
  expectStatus(await admin.post(`${path}/decision`, fields), 303);
}
