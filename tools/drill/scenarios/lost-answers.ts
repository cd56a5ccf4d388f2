import { inParallel, numbers } from '../../../test/support/crowd.js';
import { customerWithCart, expectStatus } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import type { Check, Scenario } from '../scenario.js';
import { waitUntilSettled } from '../settlement.js';
import { resendCardWebhooks } from '../simulator-control.js';

/** At most four consecutive failures, so that the circuit breaker stays closed and each call is sent. */
const BATCH = 4;

export const lostAnswers: Scenario = {
  id: 'lost-answers',
  description:
    'Card payments with a lost response are not sent again, not marked as failed, and found by webhook',
  limitMs: 300_000,
  async run(environment, scale) {
    const { control } = environment;
    const batches = Math.ceil(scale.of({ full: 200, short: 24 }) / BATCH);
    await control('settings', { webhooks: 'off' });
    const checks: Check[] = [];
    for (const _ of numbers(batches)) {
      const fault = { kind: 'drop', when: 'after' } as const;
      await control('fault', 'process', fault, BATCH);
      const found = await inParallel(numbers(BATCH), BATCH, () => payWithLostResponse(environment));
      checks.push(...found.flat());
      await control('clearFaults');
      // One successful call closes the circuit breaker.
      expectStatus(await (await customerWithCart(environment)).payByCard(), 303);
    }
    const calls = await control('calls', 'process');
    const references = calls.map(({ body }) => (body as { client_reference?: unknown }).client_reference);
    const repeated = references.length - new Set(references).size;
    const charges = (await control('ledger')).length;
    await resendCardWebhooks(control);
    return async () => {
      const { paid, allPaid } = await waitUntilSettled(environment, 90_000);
      const orders = (await readShopState(environment)).orders.length;
      return {
        summary: `${batches * BATCH} lost responses: ${repeated} repeated, ${paid} of ${charges} charges found`,
        checks: [
          ...checks,
          [repeated === 0, `${repeated} card payments were sent again`],
          [charges <= orders, `${charges} charges for ${orders} orders`],
          [allPaid, `${charges - paid} charges were not found by webhook`],
        ],
      };
    };
  },
};

async function payWithLostResponse(environment: Environment): Promise<readonly Check[]> {
  const customer = await customerWithCart(environment);
  const state = await customer.followToOrder(await customer.payByCard());
  const byCard = await customer.payByCard();
  const hosted = await customer.payHosted();
  return [
    [state === 'outcome_unknown', `after a lost response the page showed "${state}"`],
    [byCard.status === 303, `a second card payment was answered ${byCard.status}`],
    [hosted.status === 303, `a hosted payment after it was answered ${hosted.status}`],
  ];
}
