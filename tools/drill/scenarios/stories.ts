/** Scenarios with one customer and common customer behavior. */
import { setTimeout as delay } from 'node:timers/promises';

import { until } from '../../../test/support/crowd.js';
import type { Reply } from '../../../test/support/http.js';
import { Customer, comeBack, expectStatus, pathOf, pay, sessionBehind, stateOn } from '../customer.js';
import { type Aftermath, at, type Scenario, unless } from '../scenario.js';
import { untilNoneLost } from '../settling.js';
import type { Stage } from '../stage.js';

/** Longer than the time for which a lookup counts as fresh (1 s). */
const FRESH_MS = 1_100;

export const doubleClick: Scenario = {
  id: 'double-click',
  says: 'A double click and a reload lead to the same payment page of the same order',
  ties: 'cases 37, 40, complaint 21',
  async play(stage) {
    const customer = new Customer(stage);
    await customer.addToCart();
    const clicks = await Promise.all([customer.payHosted(), customer.payHosted()]);
    const reload = await customer.payHosted();
    const pages = new Set([...clicks, reload].map((reply) => sessionBehind(stage, reply)));
    const { orders } = (await stage.look()).books;
    const sessions = (await stage.strings.sessions()).length;
    return at({
      figures: `3 submits: ${orders.length} order, ${sessions} session`,
      problems: [
        ...unless(pages.size === 1 && !pages.has(undefined), `${pages.size} different payment pages`),
        ...unless(orders.length === 1, `${orders.length} orders`),
        ...unless(sessions === 1, `${sessions} sessions`),
      ],
    });
  },
};

export const backAfterPaying: Scenario = {
  id: 'back-after-paying',
  says: 'Back and a second submit after paying lead to the paid order in every payment flow and charge nothing',
  ties: 'case 39, complaints 18, 30, 33',
  async play(stage) {
    const customer = new Customer(stage);
    const { session } = await customer.openPage();
    const page = await comeBack(customer, await pay(stage, session));
    const led: Reply[] = [];
    for (const submit of SUBMITS) {
      const { headers } = await submit(customer);
      led.push(await customer.get(pathOf(headers.location ?? '/cart')));
    }
    const charges = (await stage.strings.ledger()).length;
    return at({
      figures: `${led.length} submits after paying: ${charges} charge`,
      problems: [
        ...unless(stateOn(page) === 'paid', `the first return showed "${stateOn(page)}"`),
        ...led.flatMap((order) => unless(stateOn(order) === 'paid', `a submit led to "${stateOn(order)}"`)),
        ...unless(charges === 1, `${charges} charges`),
      ],
    });
  },
};

/** All ways to submit the checkout again. */
const SUBMITS: readonly ((customer: Customer) => Promise<Reply>)[] = [
  (customer) => customer.payHosted(),
  (customer) => customer.payByCard(),
];

export const latePayment: Scenario = {
  id: 'late-payment',
  says: 'A payment that the gateway reports after the session expired becomes a paid order or a review, and is not lost',
  ties: 'case 132, complaints 35, 38, 39',
  async play(stage) {
    const customer = new Customer(stage);
    const { session } = await customer.openPage();
    await stage.strings.expireSession(session);
    const [order] = (await stage.look()).books.orders;
    const expired = await comeBack(customer, `/checkout/return/${order?.token}`);
    await delay(FRESH_MS);
    await stage.strings.forceSession(session, 'completed', 'Success');
    return async () => {
      const state = async () => (await stage.look()).books.orders[0]?.state ?? '';
      const known = await until(async () => ['paid', 'review'].includes(await state()), { withinMs: 40_000 });
      return {
        figures: `expired, then ${await state()}`,
        problems: [
          ...unless(stateOn(expired) === 'expired', `the return showed "${stateOn(expired)}"`),
          ...unless(known, `the order is still "${await state()}" although it was charged`),
        ],
      };
    };
  },
};

/** Creates a customer with two checkout sessions: one before a change of the cart and one after it. */
async function changeCartMidway(
  stage: Stage,
): Promise<{ customer: Customer; first: string; second: string }> {
  const customer = new Customer(stage);
  const { session: first } = await customer.openPage();
  expectStatus(await customer.addToCart(), 303);
  const second = sessionBehind(stage, await customer.payHosted());
  if (second === undefined || second === first) throw new Error('the changed cart got no session of its own');
  await delay(FRESH_MS);
  return { customer, first, second };
}

export const secondPayment: Scenario = {
  id: 'second-payment',
  says: 'Two tabs with two payment pages, both paid: one order is paid, the other payment is in review',
  ties: 'case 38, complaints 5, 18',
  async play(stage) {
    const { customer, first, second } = await changeCartMidway(stage);
    await comeBack(customer, await pay(stage, second));
    await delay(FRESH_MS);
    await comeBack(customer, await pay(stage, first));
    return () => findStates(stage, { paid: 1, seen: 1 });
  },
};

export const supersededPage: Scenario = {
  id: 'superseded-page',
  says: 'Only the older of two payment pages is paid: the payment becomes a paid order or a review, and is not lost',
  ties: 'cases 8, 38, complaints 18, 38, 39, 41',
  async play(stage) {
    const { customer, first } = await changeCartMidway(stage);
    await comeBack(customer, await pay(stage, first));
    return () => findStates(stage, { paid: 1, seen: 0 });
  },
};

async function findStates(
  stage: Stage,
  wanted: { readonly paid: number; readonly seen: number },
): ReturnType<Aftermath> {
  const { paid, seen, lost } = await untilNoneLost(stage, 40_000);
  return {
    figures: `${paid + seen + lost} charges: ${paid} paid, ${seen} in review, ${lost} lost`,
    problems: unless(
      paid === wanted.paid && seen === wanted.seen,
      `expected ${wanted.paid} paid and ${wanted.seen} in review`,
    ),
  };
}
