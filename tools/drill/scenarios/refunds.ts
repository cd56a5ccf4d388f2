/** Refunds of card payments through the back office, compared with the simulator's ledger. */
import { numbers, until } from '../../../test/support/crowd.js';
import { readOrderPage } from '../../../test/support/customer.js';
import type { ShopState } from '../../../test/support/invariants.js';
import { type Customer, customerWithCart, expectStatus, pathOf } from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import { openRefund, repeatRefund, signInManager, submitRefund } from '../refund-form.js';
import type { Scenario } from '../scenario.js';
import { isReached } from '../settlement.js';
import { type Fault, resendCardWebhooks } from '../simulator-control.js';

const WAIT = { withinMs: 10_000, everyMs: 20 };
/** Longer than the lease of a killed process (60 s) and a pass of the worker. */
const LEASE_MS = 75_000;

/** A paid order whose refund form two admin users have open. */
interface Trial {
  readonly environment: Environment;
  readonly order: string;
  readonly admin: Customer;
  readonly submit: () => Promise<unknown>;
  /** Submits the form of the other admin user. */
  readonly submitOther: () => Promise<unknown>;
}

interface Case {
  readonly name: string;
  /** The state of the only refund at the end. */
  readonly ends: 'succeeded' | 'unknown';
  readonly refund: (trial: Trial) => Promise<unknown>;
}

const CASES: readonly Case[] = [
  { name: 'double click', ends: 'succeeded', refund: ({ submit }) => Promise.all([submit(), submit()]) },
  {
    name: 'two admin users at once',
    ends: 'succeeded',
    refund: ({ submit, submitOther }) => Promise.all([submit(), submitOther()]),
  },
  { name: 'lost answer, then a webhook', ends: 'succeeded', refund: loseAnswer },
  { name: 'lost answer, then a repetition', ends: 'succeeded', refund: loseAnswerAndRepeat },
  { name: 'webhook before the answer', ends: 'succeeded', refund: receiveWebhookFirst },
  { name: 'killed after the effect', ends: 'succeeded', refund: (trial) => killDuringCall(trial, true) },
  { name: 'killed before the effect', ends: 'unknown', refund: (trial) => killDuringCall(trial, false) },
];

export const refunds: Scenario = {
  id: 'refunds',
  description: 'Refunds with double clicks, two admin users, lost answers and crashes: no payment is refunded twice',
  flows: ['card'],
  limitMs: 240_000,
  async run(environment, { of }) {
    const { control } = environment;
    const admin = await signInManager(environment, 'ana');
    const other = await signInManager(environment, 'beto');
    const trials: (Case & { readonly order: string })[] = [];
    for (const _ of numbers(of({ full: 5, short: 1 })))
      for (const each of CASES) {
        const trial = await openTrial(environment, admin, other);
        await each.refund(trial);
        await control('clearFaults');
        await control('settings', { webhooks: 'on' });
        trials.push({ ...each, order: trial.order });
      }
    return async () => {
      const isSent = async () => (await readShopState(environment)).refunds.every(({ state }) => state !== 'sending');
      await until(isSent, { withinMs: LEASE_MS, everyMs: 500 });
      await resendCardWebhooks(control, 'refund');
      const findWrong = async () => {
        const state = await readShopState(environment);
        const statesOf = (order: string) => refundsOf(state, order).map((refund) => refund.state);
        return trials
          .filter(({ order, ends }) => statesOf(order).join() !== ends)
          .map(({ order, name }) => `${name}: ${statesOf(order).join()}`);
      };
      await isReached(async () => (await findWrong()).length === 0, { withinMs: 10_000, everyMs: 200 });
      const wrong = await findWrong();
      const repeated = await countRepeated(environment);
      const state = await readShopState(environment);
      const unpaid = state.orders.filter((order) => order.state !== 'paid').length;
      return {
        summary: `${trials.length} payments, ${state.refunds.length} refunds, ${state.returned.length} returned`,
        checks: [
          [wrong.length === 0, `wrong states: ${wrong.join('; ')}`],
          [repeated === 0, `${repeated} payments were refunded with more than one key`],
          [unpaid === 0, `${unpaid} refunded orders are no longer paid`],
        ],
      };
    };
  },
};

async function openTrial(environment: Environment, admin: Customer, other: Customer): Promise<Trial> {
  const customer = await customerWithCart(environment);
  const reply = expectStatus(await customer.payByCard(), 303);
  const { number: order, state } = readOrderPage((await customer.get(pathOf(reply.headers.location))).text);
  if (state !== 'paid') throw new Error(`the order page showed "${state}"`);
  const { price } = environment.product;
  const [fields, otherFields] = [await openRefund(admin, order), await openRefund(other, order)];
  return {
    environment,
    order,
    admin,
    submit: () => submitRefund(admin, order, fields, price),
    submitOther: () => submitRefund(other, order, otherFields, price),
  };
}

/** Submits a refund with a fault at the gateway. A killed shop gives no answer. */
async function submitWith({ environment, submit }: Trial, fault: Fault): Promise<void> {
  await environment.control('fault', 'refund', fault, 1);
  await submit().catch(() => {});
}

async function loseAnswer(trial: Trial): Promise<void> {
  await submitWith(trial, { kind: 'drop', when: 'after' });
  // The second admin user must not send the refund again meanwhile.
  await trial.submitOther();
}

async function loseAnswerAndRepeat(trial: Trial): Promise<void> {
  const { environment, order, admin } = trial;
  await environment.control('settings', { webhooks: 'off' });
  await loseAnswer(trial);
  const [found] = refundsOf(await readShopState(environment), order);
  if (found?.state !== 'unknown') throw new Error(`a refund with a lost answer is "${found?.state}"`);
  await repeatRefund(admin, order, found.id);
}

async function receiveWebhookFirst({ environment, order, submit }: Trial): Promise<void> {
  await environment.control('fault', 'refund', { kind: 'hold' }, 1);
  const submitted = submit();
  const isStored = async () => refundsOf(await readShopState(environment), order)[0]?.state === 'succeeded';
  await until(isStored, WAIT);
  await environment.control('release');
  await submitted;
}

/** Kills the shop while its refund call is open, and lets the other admin user submit after the restart. */
async function killDuringCall(trial: Trial, apply: boolean): Promise<void> {
  const { environment, submitOther } = trial;
  const [shop] = environment.shops;
  const { control } = environment;
  await control('settings', { webhooks: 'off' });
  const before = (await control('calls', 'refund')).length;
  const submitted = submitWith(trial, { kind: 'hang', apply });
  await until(async () => (await control('calls', 'refund')).length > before, WAIT);
  await shop.kill();
  await submitted;
  await shop.start();
  await submitOther();
}

async function countRepeated({ control }: Environment): Promise<number> {
  const keys = new Map<unknown, Set<unknown>>();
  for (const { body, headers } of await control('calls', 'refund')) {
    const { original_transaction_id: payment } = Object(body);
    keys.set(payment, (keys.get(payment) ?? new Set()).add(headers['x-request-id']));
  }
  return [...keys.values()].filter((own) => own.size > 1).length;
}

function refundsOf({ orders, refunds: rows }: ShopState, number: string) {
  const order = orders.find((each) => each.number === number);
  return rows.filter(({ orderId }) => orderId === order?.id);
}
