/** Forged responses, returns and webhooks, generated from a seed. None may mark an order as paid. */
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { CARDS } from '../../../test/support/purchase.js';
import { customerWithCart, expectStatus, openHostedPage, openPaidPage, postWebhook, type Reply } from '../customer.js';
import { countQueues } from '../database-state.js';
import { type Environment, readShopState } from '../environment.js';
import { type AttackerKnowledge, forgedPayment, forgedReturn, forgedSession, forgedWebhookBody } from '../forgeries.js';
import type { Finding, Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

/** An order is looked up at most once per second, so rounds start 1.06 s apart. */
const ROUND_MS = 1_060;

export const forgedAnswers: Scenario = {
  id: 'forged-answers',
  description: 'Gateway responses with a wrong amount, currency, reference, id, status or type mark no order as paid',
  flows: ['hosted', 'card'],
  limitMs: 300_000,
  async run(environment, { of, random }) {
    const { control, product } = environment;
    await control('settings', { webhooks: 'off' });
    const goal = of({ full: 3_600, short: 240 });
    const hosted = of({ full: 400, short: 50 });
    const card = of({ full: 100, short: 20 });
    let tokens: readonly string[] = [];
    const replies: Reply[] = [];
    let forged = 0;
    let newlyForged = 0;
    while (forged < goal) {
      // Without a lookup in the last round, all orders have a final state and new ones are needed.
      if (newlyForged === 0) tokens = await createUnpaidOrders(environment, { hosted, card });
      const pause = delay(ROUND_MS);
      // Twice the number of orders: the gateway client retries an unreadable response once.
      await inParallel(numbers(hosted * 2), 8, () =>
        control('fault', 'read-session', forgedSession(random, product.price), 1),
      );
      await inParallel(numbers(card * 2), 8, () =>
        control('fault', 'read-transaction', forgedPayment(random, product.price), 1),
      );
      const planned = await countFaults(environment);
      const returns = await inParallel(tokens, 12, (token) =>
        exchange(environment.nextUrl(), `/checkout/return/${token}`),
      );
      replies.push(...returns);
      newlyForged = planned - (await countFaults(environment));
      forged += newlyForged;
      await control('clearFaults');
      await pause;
    }
    return evaluate(environment, `${forged} forged responses`, replies);
  },
};

async function countFaults({ control }: Environment): Promise<number> {
  return (await control('faults')).length;
}

/** Creates unpaid orders through both payment flows. Returns the tokens of all orders. */
async function createUnpaidOrders(
  environment: Environment,
  { hosted, card }: { readonly hosted: number; readonly card: number },
): Promise<readonly string[]> {
  await inParallel(numbers(hosted), 12, () => openHostedPage(environment));
  await inParallel(numbers(card), 12, async () => {
    const customer = await customerWithCart(environment);
    expectStatus(await customer.payByCard(CARDS.challenged), 302);
  });
  return (await readShopState(environment)).orders.map(({ token }) => token);
}

export const forgedReturns: Scenario = {
  id: 'forged-returns',
  description: 'Returns with foreign, invented or malformed ids mark no order as paid and cause no lookups of them',
  limitMs: 180_000,
  async run(environment, { of, random }) {
    const count = of({ full: 3_200, short: 400 });
    const known = await createOrders(environment);
    const requests = numbers(count).map(() => forgedReturn(random, known));
    const replies = await inParallel(requests, 24, ({ target, ...sending }) =>
      exchange(environment.nextUrl(), target, sending),
    );
    return evaluate(environment, `${count} forged returns`, replies);
  },
};

export const forgedWebhooks: Scenario = {
  id: 'forged-webhooks',
  description:
    'Webhooks with wrong credentials are not stored; false and malformed ones pay nothing and delay no genuine one',
  limitMs: 180_000,
  async run(environment, { of, random }) {
    const known = await createOrders(environment);
    const wrong = wrongCredentials(environment.webhookHeaders.Authorization);
    const body = JSON.stringify({ action: 'session.completed', data: { id: known.unpaidSessions[0] } });
    const refused = await inParallel(wrong, 16, (headers) => postWebhook(environment, body, headers));
    const accepted = refused.filter(({ status }) => status !== 401).length;
    const { events } = await countQueues(environment.databaseUrl);

    const count = of({ full: 3_200, short: 500 });
    const bodies = numbers(count).map(() => forgedWebhookBody(random, known));
    const replies = await inParallel(bodies, 24, (forged) => postWebhook(environment, forged));
    await environment.control('settings', { webhooks: 'on' });
    const genuine = of({ full: 50, short: 15 });
    await inParallel(numbers(genuine), 8, () => openPaidPage(environment));
    return async () => {
      const { allPaid, lost } = await waitUntilVerified(environment, 60_000);
      const sent = `${wrong.length} wrong credentials, ${count} forged webhooks, ${genuine} genuine`;
      const { summary, checks } = await evaluate(environment, sent, replies, count * LOOKUPS_PER_EVENT);
      return {
        summary,
        checks: [
          ...checks,
          [accepted === 0, `${accepted} webhooks with wrong credentials were not answered 401`],
          [events === 0, `${events} webhooks with wrong credentials were stored`],
          [allPaid, `${lost} genuine payments were not verified`],
        ],
      };
    };
  },
};

function wrongCredentials(right: string): readonly Readonly<Record<string, string>>[] {
  const token = right.replace('Bearer ', '');
  const schemes = ['', 'Bearer', token, `Bearer${token}`, `Token ${token}`, `Basic ${btoa(`a:${token}`)}`];
  const values = [...schemes, `${right}x`, right.slice(0, -1)];
  return [{}, { 'X-Authorization': right }, ...values.map((Authorization) => ({ Authorization }))];
}

/** Creates ten paid and thirty unpaid orders. No webhook is sent. */
async function createOrders(environment: Environment): Promise<AttackerKnowledge> {
  await environment.control('settings', { webhooks: 'off' });
  const paidSessions = await inParallel(numbers(10), 5, async () => {
    const { session, customer, returnPath } = await openPaidPage(environment);
    await customer.get(returnPath);
    return session;
  });
  const unpaid = await inParallel(numbers(30), 6, () => openHostedPage(environment));
  const { orders } = await readShopState(environment);
  return {
    paidSessions,
    unpaidSessions: unpaid.map(({ session }) => session),
    tokens: orders.filter(({ state }) => state !== 'paid').map(({ token }) => token),
  };
}

/** An authenticated event may name three unknown ids. Each is looked up in both flows, at the first two tries. */
const LOOKUPS_PER_EVENT = 12;

/** Requires no 5xx response and few lookups of ids that the shop does not know. I1 is checked after each scenario. */
async function evaluate(
  environment: Environment,
  sent: string,
  replies: readonly Reply[],
  maxUnknown = 0,
): Promise<Finding> {
  const { attempts } = await readShopState(environment);
  const known = new Set(attempts.map(({ gatewayId }) => gatewayId));
  const calls = await environment.control('calls');
  const unknown = calls
    .filter(({ call }) => call === 'read-session' || call === 'read-transaction')
    .filter(({ path }) => !known.has(decodeURIComponent(path.split('/').findLast((part) => part) ?? '')));
  const failed = replies.filter(({ status }) => status >= 500);
  return {
    summary: `${sent}: ${failed.length} responses 5xx, ${unknown.length} lookups for unknown ids`,
    checks: [
      [failed.length === 0, `${failed.length} responses 5xx (${failed[0]?.status})`],
      [unknown.length <= maxUnknown, `${unknown.length} lookups for ids without an order`],
    ],
  };
}
