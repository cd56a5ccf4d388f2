import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { processInbox } from '../../packages/payments/src/process-inbox.js';
import type { Flaw } from '../../packages/payments/test/gateway/promises/faulty-server.js';
import { openSecondServer } from '../../packages/payments/test/gateway/second-gateway/server.js';
import { Customer, contact } from '../support/customer.js';
import { allFulfillments, theOrder } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { API_KEY, openTestShop, type TestShop } from '../support/test-shop.js';
import { postWebhook } from '../support/webhooks.js';

const server = await openSecondServer(API_KEY);
afterAll(async () => server[Symbol.asyncDispose]());
afterEach(() => server.heal());
const env = { PAYMENTS_BASE_URL: server.url, CHECKOUT_API_URL: server.url, TOKENIZER_URL: `${server.url}/vault` };
const shop = await openSharedShop({ env });

/** Places an order by a flow and pays it on the gateway's page. Returns the customer and the path of the return. */
async function payBy(flow: PaymentFlow, at: TestShop = shop) {
  const customer = await Customer.withCart(at);
  const redirect =
    flow === 'hosted'
      ? await customer.payHosted()
      : await customer.post('/checkout/card', { ...contact, ...server.cardTokens('challenged') });
  const page = redirect.headers['location'] ?? '';
  expect([redirect.status, page]).toEqual([302, expect.stringContaining(`${server.url}/pay/`)]);
  const paid = await fetch(page, { method: 'POST', redirect: 'manual' });
  const back = new URL(paid.headers.get('location') ?? '', at.url);
  expect(back.origin).toBe(at.url);
  return { customer, path: back.pathname + back.search };
}

test.each<PaymentFlow>(['hosted', 'card'])('an order by the flow %s is paid after the return', async (flow) => {
  const { customer, path } = await payBy(flow);
  const before = await theOrder(shop);

  const back = await customer.get(path);

  const order = await theOrder(shop);
  expect([before.state, back.status, order.state, order.reviewReason]).toEqual(['pending', 303, 'paid', null]);
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(server.requests('create-session') + server.requests('process-payment')).toBeGreaterThan(0);
});

test('a card without 3D Secure pays at once, and a declined card does not', async () => {
  const customer = await Customer.withCart(shop);
  const payWith = (card: 'paid' | 'declined') =>
    customer.post('/checkout/card', { ...contact, ...server.cardTokens(card) });

  await payWith('declined');
  const declined = await theOrder(shop);
  await payWith('paid');

  expect([declined.state, (await theOrder(shop)).state]).toEqual(['declined', 'paid']);
});

test.each<[PaymentFlow, Flaw, string]>([
  ['hosted', 'other-amount', 'other_amount'],
  ['hosted', 'other-id', 'other_id'],
  ['hosted', 'unknown-status', 'unclear_status'],
  ['card', 'other-amount', 'other_amount'],
  ['card', 'other-id', 'other_id'],
])('an order by the flow %s whose lookup has the flaw %s goes to review as %s', async (flow, flaw, reason) => {
  const { customer, path } = await payBy(flow);
  server.answerWith(flaw);

  await customer.get(path);

  const { state, reviewReason } = await theOrder(shop);
  expect([state, reviewReason]).toEqual(['review', reason]);
  expect(await allFulfillments(shop)).toEqual([]);
});

test.each(['bearer', 'none'])(
  'with %s authentication a webhook event pays its order after a lookup',
  async (scheme) => {
    await using other = await openTestShop({ env: { ...env, ...(scheme === 'none' && { WEBHOOK_AUTH: scheme }) } });
    await payBy('hosted', other);
    const lookups = server.requests('read-session');

    await postWebhook(other, JSON.stringify(server.eventAbout(server.lastId())));
    await processInbox(other.checkout);

    expect((await theOrder(other)).state).toBe('paid');
    expect(server.requests('read-session')).toBe(lookups + 1);
  },
);

test('an event does not bind a charge whose answer was lost, because its lookup has no reference', async () => {
  const customer = await Customer.withCart(shop);
  const { payments } = server.moved();
  server.answerWith('lost');
  await customer.post('/checkout/card', { ...contact, ...server.cardTokens('paid') });
  server.heal();

  await postWebhook(shop, JSON.stringify(server.eventAbout(server.lastId())));
  await processInbox(shop.checkout);

  expect([server.moved().payments - payments, (await theOrder(shop)).state]).toEqual([1, 'outcome_unknown']);
});
