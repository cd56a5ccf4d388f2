/** Webhooks and responses are lost, or gateway or mail server do not answer. The shop must still find every payment. */
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { listen } from '../../../test/support/http.js';
import { customerWithCart, expectStatus, openPaidPage } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import type { Check, Scenario } from '../scenario.js';
import { isReached, waitUntilVerified } from '../settlement.js';
import { resendCardWebhooks } from '../simulator-control.js';

/** The worker reconciles a session for the first time 20 s after its creation. */
const FIRST_LOOKUP_S = 20;
/** The lookup's deadline of 4 s plus 0.5 s for the shop. */
const MAX_PAGE_MS = 4_500;

export const bothLost: Scenario = {
  id: 'both-lost',
  description: 'Return and webhook are both lost: the worker finds every payment',
  limitMs: 240_000,
  async run(environment, scale) {
    await environment.control('settings', { webhooks: 'off' });
    const count = scale.of({ full: 500, short: 60 });
    await inParallel(numbers(count), 12, () => openPaidPage(environment));
    return async () => {
      const { paid, slowestS, allPaid } = await waitUntilVerified(environment, 120_000);
      const lateS = Math.max(0, slowestS - FIRST_LOOKUP_S).toFixed(1);
      return {
        summary: `${paid} of ${count} found, the last ${lateS} s after the first possible lookup`,
        checks: [
          [allPaid, `${count - paid} were not found`],
          [Number(lateS) <= 60, `the last was found ${lateS} s after the first possible lookup`],
        ],
      };
    };
  },
};

export const gatewayDown: Scenario = {
  id: 'service-down',
  description: 'The gateway is down while customers return: every page is correct, and all payments verify afterwards',
  limitMs: 300_000,
  async run(environment, scale) {
    const { control, simulator } = environment;
    const count = scale.of({ full: 500, short: 60 });
    const outageMs = scale.short ? 6_000 : 40_000;
    await control('settings', { webhooks: 'off' });
    const paid = await inParallel(numbers(count), 12, () => openPaidPage(environment));
    const wrong: string[] = [];
    let slowestMs = 0;
    const visit = async ({ customer, returnPath }: (typeof paid)[number]) => {
      const state = await customer.followToOrder(expectStatus(await customer.get(returnPath), 303));
      slowestMs = Math.max(slowestMs, customer.slowestMs);
      // The worker may have found the payment before the outage.
      if (state !== 'pending' && state !== 'paid') wrong.push(state);
    };
    // In the first half the gateway answers 503. In the second half it is not running.
    await control('fault', 'read-session', { kind: 'status', status: 503 });
    const half = Math.ceil(count / 2);
    await spreadOver(outageMs / 2, paid.slice(0, half), visit);
    await simulator.kill();
    await spreadOver(outageMs / 2, paid.slice(half), visit);
    await simulator.start();
    const recoveredAt = Date.now();
    return async () => {
      const settlement = await waitUntilVerified(environment, 120_000);
      const { orders } = await readShopState(environment);
      const last = Math.max(...orders.map(({ confirmedAt }) => confirmedAt ?? 0));
      const settledS = Math.max(0, last - recoveredAt) / 1000;
      return {
        summary: `${count} returned in ${outageMs / 1000} s: ${settlement.paid} paid, the last ${settledS.toFixed(1)} s after recovery`,
        checks: [
          [settlement.allPaid, `${settlement.lost} lost after two minutes`],
          [wrong.length === 0, `${wrong.length} pages were wrong ("${wrong[0]}")`],
          [slowestMs <= MAX_PAGE_MS, `a page took ${slowestMs} ms`],
          [settledS <= 60, `verified ${settledS} s after recovery`],
        ],
      };
    };
  },
};

async function spreadOver<T>(ms: number, items: readonly T[], visit: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map((item, index) => delay((index * ms) / items.length).then(() => visit(item))));
}

/** 38 s: requests in flight have 28 s, background work has 5 s, plus a margin. */
const STOP_MS = 38_000;

export const hangingMail: Scenario = {
  id: 'hanging-mail',
  description: 'A mail server that never answers delays no payment, and the shop stops in time',
  limitMs: 180_000,
  async run(environment, scale) {
    const [shop] = environment.shops;
    let hanging = 0;
    const mailServer = createServer(() => {
      hanging += 1;
    });
    await using server = await listen(mailServer);
    await shop.kill();
    await shop.start({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
    const count = scale.of({ full: 100, short: 30 });
    await inParallel(numbers(count), 8, () => openPaidPage(environment));
    const { paid, allPaid } = await waitUntilVerified(environment, 30_000);
    await isReached(() => hanging > 0, { withinMs: 20_000 });
    shop.signal('SIGTERM');
    const startedAt = performance.now();
    const isStopped = await isReached(() => !shop.isRunning(), { withinMs: STOP_MS });
    const stopS = ((performance.now() - startedAt) / 1000).toFixed(1);
    await shop.kill();
    await shop.start();
    return {
      summary: `${count} orders, ${hanging} hanging mails: ${paid} paid, stopped in ${stopS} s`,
      checks: [
        [hanging > 0, 'no mail was sent to the hanging server'],
        [allPaid, `${count - paid} orders were not paid while mails were hanging`],
        [isStopped, `the shop did not stop within ${STOP_MS / 1000} s`],
      ],
    };
  },
};

/** At most four consecutive failures, so that the circuit breaker stays closed and each call is sent. */
const BATCH = 4;

export const lostAnswers: Scenario = {
  id: 'lost-answers',
  description: 'Card payments with a lost response are not sent again, not marked as failed, and found by webhook',
  flows: ['hosted', 'card'],
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
      const { paid, allPaid } = await waitUntilVerified(environment, 90_000);
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
