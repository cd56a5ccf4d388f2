/** What happens to payments that were started. */

import type { Fault } from '@tianguis/gateway-tools';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { sql } from 'kysely';
import type { Response } from 'supertest';
import { reconcileAll } from '../../checkout/support.js';
import { Customer, mugOrder } from '../../support/customer.js';
import { CARDS, payByCard } from '../../support/purchase.js';
import type { TestShop } from '../../support/test-shop.js';
import { type Opened, type Scene, type Stage, TRIGGERS_OF_LOOKUPS } from './play.js';

export const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The offer of 60 minutes, its margin of 2 minutes, and one minute. */
const AFTER_OFFER_MS = 63 * MINUTE_MS;
const SHORT_MS = 150;

export async function newestOrder({ queries }: TestShop): Promise<string> {
  const orders = await queries.selectFrom('orders').select('id').orderBy('createdAt', 'desc').execute();
  if (!orders[0]) throw new Error('no order');
  return orders[0].id;
}

export function submit({ shop }: Stage, flow: PaymentFlow, customer: Customer, card: string): Promise<Response> {
  return flow === 'hosted' ? customer.payHosted(mugOrder) : payByCard(shop, customer, card, mugOrder);
}

/** Opens a page of the gateway: the hosted page, or the bank's page of a card payment. */
async function openPage(stage: Stage, flow: PaymentFlow): Promise<Opened> {
  const customer = await Customer.withCart(stage);
  await submit(stage, flow, customer, CARDS.challenged);
  return { customer, orderId: await newestOrder(stage.shop) };
}

/** Does something at the gateway for each session and for each card payment. */
const everywhere =
  (session: (shop: TestShop, id: string) => void, payment: (shop: TestShop, id: string) => void = () => {}) =>
  ({ shop }: Stage) => {
    for (const { id } of shop.control.sessions()) session(shop, id);
    for (const { id } of shop.control.payments()) payment(shop, id);
  };

const pay = everywhere(
  ({ control }, id) => control.paySession(id),
  ({ control }, id) => control.approve(id),
);
const decline = everywhere(
  ({ control }, id) => control.paySession(id, CARDS.declined),
  ({ control }, id) => control.refuse(id),
);
const challenge = everywhere(({ control }, id) => control.paySession(id, CARDS.challenged));

/** The worker looks everything up, and time passes. */
async function pass({ shop, context }: Stage, ms: number): Promise<void> {
  shop.clock.advance(MINUTE_MS);
  await reconcileAll(context.checkout);
  shop.clock.advance(ms);
}

const scene = (name: string, meanwhile: Scene['meanwhile'], more: Partial<Scene> = {}): Scene => ({
  name,
  triggers: TRIGGERS_OF_LOOKUPS,
  open: openPage,
  meanwhile,
  ...more,
});
const paid = (name: string, lookups?: Fault, more: Partial<Scene> = {}) =>
  scene(`paid; ${name}`, pay, { ...more, ...(lookups && { lookups }) });
export const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });
export const status = (code: number, more: object = {}): Fault => ({ kind: 'status', status: code, ...more });
export const HTML: Fault = { kind: 'raw', body: '<h1>Bad gateway</h1>', contentType: 'text/html', apply: true };

export const LOOKUPS: readonly Scene[] = [
  paid('the lookup says so'),
  paid('the lookup is cut', { kind: 'drop', when: 'before' }),
  paid(
    'the lookup is not answered in time',
    { kind: 'hang' },
    {
      deadlines: { 'read-session': SHORT_MS, 'read-transaction': SHORT_MS },
    },
  ),
  paid('the lookup gets 503', status(503)),
  paid('the lookup gets 401', status(401)),
  paid('the lookup gets 404', status(404)),
  paid('the lookup gets 429', status(429, { headers: { 'Retry-After': '60' } })),
  paid('the lookup gets a page instead of JSON', HTML),
  paid('the lookup names another amount', rewrite({ amount: 1, amount_total: 1 })),
  paid('the lookup names another currency', rewrite({ currency: 'USD' })),
  paid('the lookup names another reference', rewrite({ external_id: 'TG-9', client_reference: 'TG-9' })),
  paid('the lookup names no reference', { kind: 'rewrite', set: {}, remove: ['external_id', 'client_reference'] }),
  paid('the lookup names another id', rewrite({ id: 'other' })),
  paid('the lookup has an unknown status', rewrite({ status: 'settled', transaction_status: 'Settled' })),
  scene('declined by the bank', decline),
  scene('3D Secure not finished', challenge),
  scene(
    'expired at the gateway',
    everywhere(({ control }, id) => control.expireSession(id)),
    { flows: ['hosted'] },
  ),
  scene(
    'cancelled at the gateway',
    everywhere(({ control }, id) => control.cancelSession(id)),
    { flows: ['hosted'] },
  ),
  scene('the offer ended, and the gateway still waits', (stage) => pass(stage, AFTER_OFFER_MS)),
  scene('the offer ended, and the lookup gets 404', (stage) => pass(stage, AFTER_OFFER_MS), { lookups: status(404) }),
  scene('paid after the offer ended', async (stage) => {
    await pass(stage, AFTER_OFFER_MS);
    await reconcileAll(stage.context.checkout);
    pay(stage);
  }),
  scene('paid after the gateway had said “cancelled”', async (stage) => {
    const { control } = stage.shop;
    for (const call of ['read-session', 'read-transaction'] as const)
      control.fault(call, rewrite({ status: 'cancelled', transaction_status: undefined }));
    await pass(stage, MINUTE_MS);
    control.clearFaults();
    pay(stage);
  }),
  scene('8 days without an answer', (stage) => pass(stage, 9 * DAY_MS), { lookups: status(503) }),
  scene(
    'paid, then returned at the gateway as refund or chargeback',
    async (stage) => {
      pay(stage);
      await pass(stage, MINUTE_MS);
    },
    { lookups: rewrite({ status: 'cancelled', transaction_status: 'Refunded' }) },
  ),
  {
    name: 'paid twice: by card, then on the page that was still open',
    flows: ['hosted'],
    triggers: TRIGGERS_OF_LOOKUPS,
    async open(stage) {
      const opened = await openPage(stage, 'hosted');
      await payByCard(stage.shop, opened.customer, CARDS.paid, { ...mugOrder, pay_again: '1' });
      return opened;
    },
    meanwhile: everywhere(({ control }, id) => control.paySession(id)),
  },
  paid('the database takes no writes', undefined, {
    async meanwhile(stage) {
      pay(stage);
      await sql`pragma query_only = on`.execute(stage.shop.queries);
    },
    async end({ shop }) {
      await sql`pragma query_only = off`.execute(shop.queries);
    },
  }),
];
