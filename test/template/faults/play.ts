/** Plays a scene of docs/internals/faults.md against the real shop and the simulator, once for each trigger. */

import type { Fault } from '@tianguis/gateway-tools';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { needsReview, openDecisions } from '@tianguis/payments/rules';
import type { Response } from 'supertest';
import { processInbox } from '../../../packages/payments/src/process-inbox.js';
import type { AppContext } from '../../../src/context.js';
import { reconcileAll } from '../../checkout/support.js';
import type { Customer } from '../../support/customer.js';
import { impatient, openDoor } from '../../support/replica.js';
import type { TestShop } from '../../support/test-shop.js';
import { AUTHENTIC } from '../../support/webhooks.js';

/** `again`: the customer submits the form once more. */
export type Played = 'return' | 'again' | 'webhook' | 'worker';
export const TRIGGERS_OF_LOOKUPS = ['return', 'webhook', 'worker'] as const satisfies readonly Played[];
export const TRIGGERS_OF_STARTS = ['again', 'webhook', 'worker'] as const satisfies readonly Played[];
const MINUTE_MS = 60_000;
/** Longer than an answer of a lookup is reused. */
const FRESH_MS = 5_000;
const FLOWS: readonly PaymentFlow[] = ['hosted', 'card'];

/** An order in the situation of the scene, with the customer who placed it. */
export interface Opened {
  readonly customer: Customer;
  readonly orderId: string;
  /** What the customer received at the start of the payment. */
  readonly answer?: string;
  /** The request that starts the payment, while it waits for the gateway. */
  readonly waiting?: Promise<unknown>;
  /** Submits the form once more. Returns what the customer receives. */
  readonly submitAgain?: () => Promise<string>;
}

/** One process of the shop, with a gateway client of its own. */
export interface Stage {
  readonly shop: TestShop;
  readonly url: string;
  readonly context: AppContext;
}

export interface Scene {
  readonly name: string;
  readonly flows?: readonly PaymentFlow[];
  readonly triggers: readonly Played[];
  /** Places one order. Called once for each flow and trigger. */
  readonly open: (stage: Stage, flow: PaymentFlow) => Promise<Opened>;
  /** What happens after all orders are placed, before the triggers. */
  readonly meanwhile?: (stage: Stage) => Promise<void> | void;
  /** Answers of all lookups, until the triggers have ended. */
  readonly lookups?: Fault;
  /** Ends what faults of the gateway do not end, after the triggers. */
  readonly end?: (stage: Stage) => Promise<void>;
  readonly deadlines?: Parameters<typeof impatient>[1];
  /** The answer of the start arrives after the triggers. */
  readonly isAnsweredLate?: boolean;
}

/** What follows from one trigger. */
export interface Seen {
  readonly trigger: Played;
  /** What the customer received for the form that was submitted again. */
  readonly again: string;
  readonly states: string;
  readonly customer: string;
  readonly merchant: string;
  /** Charges at the gateway for the order. */
  readonly charges: string;
  /** The states after the fault. */
  readonly later: string;
}

export interface Row {
  readonly scene: string;
  readonly flow: string;
  /** What the customer received at the start of the payment. */
  readonly answer: string;
  readonly seen: readonly Seen[];
}

export function stateText(order: string, attempts: readonly string[], reviewReason: string | null): string {
  return `${order} · ${attempts.join(' + ')}${reviewReason ? ` · **${reviewReason}**` : ''}`;
}

/** Returns one row for each flow. */
export async function playScene(shop: TestShop, scene: Scene): Promise<readonly Row[]> {
  await shop.reset();
  await using context = impatient(shop, scene.deadlines);
  await using door = await openDoor(context.web);
  const stage = { shop, url: door.url, context };
  const { flows = FLOWS, triggers, lookups } = scene;
  const opened: { readonly flow: PaymentFlow; readonly trigger: Played; readonly order: Opened }[] = [];
  for (const flow of flows)
    for (const trigger of triggers) opened.push({ flow, trigger, order: await scene.open(stage, flow) });
  await scene.meanwhile?.(stage);
  shop.clock.advance(FRESH_MS);
  for (const call of ['read-session', 'read-transaction'] as const) if (lookups) shop.control.fault(call, lookups);
  const seen = new Map<Opened, Omit<Seen, 'later'>>();
  for (const trigger of triggers) {
    const orders = opened.filter((each) => each.trigger === trigger).map(({ order }) => order);
    await PLAYS[trigger](stage, orders);
    for (const order of orders) {
      const again = trigger === 'again' ? await order.submitAgain?.() : undefined;
      seen.set(order, { trigger, again: again ?? '', ...(await see(shop, order)) });
    }
  }
  await scene.end?.(stage);
  shop.control.clearFaults();
  if (scene.isAnsweredLate) await Promise.all(opened.map(({ order }) => order.waiting));
  await workLater(shop);
  const later = new Map(
    await Promise.all(opened.map(async ({ order }) => [order, await statesOf(shop, order.orderId)] as const)),
  );
  return flows.map((flow) => {
    const orders = opened.filter((each) => each.flow === flow).map(({ order }) => order);
    const rows = orders.flatMap((order) => {
      const now = seen.get(order);
      return now ? [{ ...now, later: later.get(order) ?? '' }] : [];
    });
    return { scene: scene.name, flow, answer: orders[0]?.answer ?? '', seen: rows };
  });
}

type Play = (stage: Stage, orders: readonly Opened[]) => Promise<void>;

const PLAYS: Readonly<Record<Played, Play>> = {
  async return({ shop }, orders) {
    for (const { customer, orderId } of orders)
      await customer.get(`/checkout/return/${(await orderOf(shop, orderId)).token}`);
  },
  // Each customer submits before its page is read.
  async again() {},
  async webhook({ shop, url, context }, orders) {
    for (const { orderId } of orders) for (const event of await eventsOf(shop, orderId)) await postEvent(url, event);
    await processInbox(context.checkout).catch(() => {});
  },
  async worker({ shop, context }) {
    shop.clock.advance(MINUTE_MS);
    await reconcileAll(context.checkout).catch(() => {});
  },
};

/** Posts an event. Returns the status. */
export async function postEvent(url: string, event: object, credentials: object = AUTHENTIC): Promise<number> {
  const headers = { ...credentials, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/webhooks/payments`, { method: 'POST', headers, body: JSON.stringify(event) });
  return status;
}

/** The gateway is healthy again, and another process works for 30 minutes. */
async function workLater(shop: TestShop): Promise<void> {
  await using context = impatient(shop, {});
  for (const minutes of [1, 9, 20]) {
    shop.clock.advance(minutes * MINUTE_MS);
    await reconcileAll(context.checkout);
    await processInbox(context.checkout);
  }
}

function orderOf({ queries }: TestShop, id: string) {
  return queries.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function attemptsOf({ queries }: TestShop, orderId: string) {
  return queries.selectFrom('attempts').selectAll().where('orderId', '=', orderId).orderBy('ordinal').execute();
}

/** Returns what the gateway has for an order. */
async function recordsOf(shop: TestShop, orderId: string) {
  const references = (await attemptsOf(shop, orderId)).map(({ reference }) => reference);
  const isOwn = (reference: string | null | undefined) => references.includes(reference ?? '');
  return {
    sessions: shop.control.sessions().filter(({ request }) => isOwn(request.external_id)),
    payments: shop.control.payments().filter(({ reference }) => isOwn(reference)),
    charges: shop.control.ledger().filter(({ reference }) => isOwn(reference)),
  };
}

/** Returns the events that the gateway posts: one for each session and card payment of the order. */
async function eventsOf(shop: TestShop, orderId: string): Promise<readonly object[]> {
  const { sessions, payments } = await recordsOf(shop, orderId);
  const ofSessions = sessions.map(({ id, request: { external_id } }) => ({ data: { id, external_id } }));
  const ofPayments = payments.map(({ id, reference }) => ({ id, client_reference: reference }));
  return [...ofSessions, ...ofPayments];
}

export async function statesOf(shop: TestShop, orderId: string): Promise<string> {
  const { state, reviewReason } = await orderOf(shop, orderId);
  const attempts = await attemptsOf(shop, orderId);
  return stateText(
    state,
    attempts.map((attempt) => attempt.state),
    reviewReason,
  );
}

async function see(shop: TestShop, { customer, orderId }: Opened) {
  const states = await statesOf(shop, orderId);
  const { token } = await orderOf(shop, orderId);
  const page = await customer.get(`/orders/${token}`);
  const { body } = await customer.get(`/orders/${token}/status`);
  return {
    states,
    customer: `${headingOf(page)}${body.safe_to_pay_again ? ' (may pay again)' : ''}`,
    merchant: await merchantSees(shop, orderId),
    charges: String((await recordsOf(shop, orderId)).charges.length),
  };
}

/** Returns what a page says first: its error, its notice or its heading. */
export function headingOf({ text }: Pick<Response, 'text'>): string {
  const shown = text.replace(/<noscript>[\s\S]*?<\/noscript>/g, '');
  const [, found = ''] =
    /id="errors"[\s\S]*?<li><a[^>]*>([^<]*)</.exec(shown) ??
    /class="notice"[\s\S]*?<p>([^<]*)</.exec(shown) ??
    /<h1[^>]*>([^<]*)</.exec(shown) ??
    [];
  return found.trim().replaceAll('&#39;', '’');
}

/** The mails to the merchant, and the open decisions if the list of orders to review has the order. */
async function merchantSees(shop: TestShop, orderId: string): Promise<string> {
  const order = await orderOf(shop, orderId);
  const attempts = await attemptsOf(shop, orderId);
  const isRefundable = attempts.some(
    ({ state, confirmedAmount }) => (state === 'paid' || state === 'review') && confirmedAmount !== null,
  );
  const jobs = await shop.queries.selectFrom('outbox').select('job').where('orderId', '=', orderId).execute();
  const mails = jobs.flatMap(({ job }) => (job.startsWith('merchant_') ? [`mail ${job}`] : []));
  const decisions = [...openDecisions(order, isRefundable), ...(isRefundable ? ['refund form'] : [])].join(', ');
  return [...mails, ...(needsReview(order) ? [`list: ${decisions}`] : [])].join('; ') || '–';
}
