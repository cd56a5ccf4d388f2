/** Posts webhook events to a test shop and reads its inbox. */
import supertest from 'supertest';
import { type TestShop, WEBHOOK_TOKEN } from './test-shop.js';

export const AUTHENTIC = { Authorization: `Bearer ${WEBHOOK_TOKEN}` };

/** Posts a body to the webhook address, with valid credentials by default. */
export function postWebhook(
  shop: TestShop,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = AUTHENTIC,
) {
  return supertest(shop.url)
    .post('/webhooks/payments')
    .set({
      'Content-Type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
      ...headers,
    })
    .send(body as string);
}

/** Returns all stored events, oldest first. */
export function storedEvents(shop: TestShop) {
  return shop.queries.selectFrom('inbox').selectAll().orderBy('id').execute();
}

/** Returns the body of an event that names a checkout session. */
export function sessionCompleted(session: string): string {
  return JSON.stringify({ action: 'session.completed', type: 'checkout.hosted', data: { id: session } });
}

/** Returns the body of an event that names the last payment of the gateway, and an order. */
export function paymentEvent({ control }: Pick<TestShop, 'control'>, number?: string): string {
  const { id, reference } = control.payments().at(-1) ?? {};
  const event_type = 'payment_Success';
  return JSON.stringify({ id, client_reference: number ?? reference, event_type, status: 'Success' });
}
