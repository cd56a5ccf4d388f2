/** What happens to the call that starts a payment. */

import type { Call, Fault } from '@tianguis/gateway-tools';
import type { PaymentFlow } from '@tianguis/payments/rules';
import type { Response } from 'supertest';
import { until } from '../../support/crowd.js';
import { Customer } from '../../support/customer.js';
import { CARDS } from '../../support/purchase.js';
import { headingOf, type Scene, TRIGGERS_OF_STARTS } from './play.js';
import { HTML, MINUTE_MS, newestOrder, rewrite, status, submit } from './scenes.js';

/** What the customer received. */
function answerOf(response: Response): string {
  const { status, headers } = response;
  const location: string = headers['location'] ?? '';
  if (status !== 302 && status !== 303) return `${status} ${headingOf(response)}`;
  if (location.startsWith('/')) return `${status} to ${location.startsWith('/orders/') ? 'the order' : location}`;
  const { hostname, pathname } = new URL(location);
  const page = pathname.startsWith('/bank/') ? 'the bank' : 'the hosted page';
  return `${status} to ${hostname === 'localhost' ? page : hostname}`;
}

const STARTS = { hosted: 'create-session', card: 'process' } as const satisfies Record<PaymentFlow, Call>;

/** The start of a payment meets the fault. The next one does not. */
const start = (name: string, fault: Fault, more: Partial<Scene> = {}, card: string = CARDS.paid): Scene => ({
  name,
  triggers: TRIGGERS_OF_STARTS,
  async open(stage, flow) {
    const customer = await Customer.withCart(stage);
    stage.shop.control.fault(STARTS[flow], fault, 1);
    const send = async () => answerOf(await submit(stage, flow, customer, card));
    const answer = await send();
    return { customer, orderId: await newestOrder(stage.shop), answer, submitAgain: send };
  },
  ...more,
});

const deadlines = (ms: number) => ({ 'create-session': ms, 'process-payment': ms });

/** The process receives no answer before its lease is over. Only the clock of the shop passes. */
const dies = (name: string, fault: Fault, more: Partial<Scene> = {}): Scene => ({
  name,
  triggers: TRIGGERS_OF_STARTS,
  async open(stage, flow) {
    const { control } = stage.shop;
    const customer = await Customer.withCart(stage);
    const before = control.calls(STARTS[flow]).length;
    control.fault(STARTS[flow], fault, 1);
    const send = async () => answerOf(await submit(stage, flow, customer, CARDS.paid));
    const waiting = send().catch(() => {});
    await until(() => control.calls(STARTS[flow]).length > before);
    return { customer, orderId: await newestOrder(stage.shop), answer: 'none', waiting, submitAgain: send };
  },
  meanwhile({ shop }) {
    shop.clock.advance(MINUTE_MS);
  },
  deadlines: deadlines(120_000),
  ...more,
});

export const STARTED: readonly Scene[] = [
  start('the call is cut before it is processed', { kind: 'drop', when: 'before' }),
  start('the call is processed, and its answer is lost', { kind: 'drop', when: 'after' }),
  start(
    'the call is processed, and not answered in time',
    { kind: 'hang', apply: true },
    {
      deadlines: deadlines(1_000),
    },
  ),
  start('503', status(503)),
  start('401', status(401)),
  start('422', status(422)),
  start('429', status(429, { headers: { 'Retry-After': '60' } })),
  start('402 with a decline code and no id', status(402, { body: { error: { code: 'card_declined' } } }), {
    flows: ['card'],
  }),
  start('processed, and answered with a page instead of JSON', HTML),
  start('the answer names another amount', rewrite({ amount: 1, amount_total: 1 })),
  ...['https://other.example/', 'http://other.example/'].map((url) =>
    start(
      `the answer sends the customer to ${url}`,
      rewrite({ url, 'next_action.redirect_to_url.url': url }),
      {},
      CARDS.challenged,
    ),
  ),
  dies('the process dies, and the call did not arrive', { kind: 'hang' }),
  dies('the process dies, and the call is processed', { kind: 'hang', apply: true }),
  dies('the answer arrives after the lease', { kind: 'hold' }, { isAnsweredLate: true }),
];
