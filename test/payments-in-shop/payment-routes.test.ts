/** The routes of the payments in a small Express app, which has no session, limit or page of the shop. */
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { type PaymentRouteOptions, paymentRoutes } from '../../packages/payments/src/payment-routes.js';
import { theOrder } from '../support/inspect.js';
import { openPaidPage } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { WEBHOOK_TOKEN } from '../support/test-shop.js';
import { AUTHENTIC, sessionCompleted, storedEvents } from '../support/webhooks.js';

const shop = await openSharedShop();

const AUTH: PaymentRouteOptions['webhookAuth'] = {
  scheme: 'header',
  credentials: [{ name: 'authorization', value: `Bearer ${WEBHOOK_TOKEN}` }],
};

/** Returns an app of another host with these middlewares before the routes. */
function smallApp(before: readonly RequestHandler[] = [], options: Partial<PaymentRouteOptions> = {}) {
  const host = { ...shop.checkout.host, orderPath: ({ number }: { readonly number: string }) => `/pedidos/${number}` };
  const app = express();
  for (const each of before) app.use(each);
  app.use(paymentRoutes({ ...shop.checkout, host }, { webhookAuth: AUTH, ...options }));
  // In place of the page that Express sends, which has the stack.
  const sendStatus: express.ErrorRequestHandler = (error, _req, res, _next) => void res.sendStatus(error.status ?? 500);
  return supertest(app.use(sendStatus));
}

const post = (app: ReturnType<typeof smallApp>, body: string, headers: Record<string, string> = AUTHENTIC) =>
  app
    .post('/webhooks/payments')
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(body);

test('a return without a cookie verifies the order and redirects to the page of the host', async () => {
  const { session, returnPath } = await openPaidPage(shop);

  const answers = [
    await smallApp().get(`${returnPath}?session_id=cs_of_another_order`),
    await smallApp().post(`${returnPath}?session_id=${session}`).send('{"PaRes":"x"}'),
  ];

  const { number, state } = await theOrder(shop);
  expect(answers.map(({ status, headers }) => [status, headers['location'], headers['cache-control']])).toEqual([
    [303, `/pedidos/${number}`, 'no-store'],
    [303, `/pedidos/${number}`, 'no-store'],
  ]);
  expect([state, shop.logged.join('').split('return.session_mismatched').length]).toEqual(['paid', 2]);
});

test.each<[number, string, string]>([
  [404, 'get', `/checkout/return/${'A'.repeat(32)}`],
  [404, 'get', '/checkout/return/x'],
  [405, 'put', `/checkout/return/${'A'.repeat(32)}`],
  [405, 'get', '/webhooks/payments'],
  [405, 'options', '/webhooks/payments'],
])('the routes answer %i to %s %s', async (status, method, path) => {
  const app = smallApp() as unknown as Record<string, (path: string) => supertest.Test>;

  expect((await app[method]?.(path))?.status).toBe(status);
});

test.each<[string, readonly RequestHandler[]]>([
  ['express.json', [express.json()]],
  ['express.raw', [express.raw({ type: () => true })]],
  ['express.text and express.json', [express.text({ type: () => true }), express.json()]],
  ['a middleware that drops the body', [(req, _res, next) => void req.resume().once('end', () => next())]],
])('a webhook whose body %s read before is answered with 500 and why, in the log too', async (_what, before) => {
  const answer = await post(smallApp(before), sessionCompleted('cs_1'));

  expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('before every body parser')]);
  expect(shop.logged.join('')).toContain('webhook.body_consumed');
  expect(await storedEvents(shop)).toEqual([]);
});

test('a webhook is stored behind a body parser for forms, which leaves its body', async () => {
  const later: RequestHandler = (_req, _res, next) => void setImmediate(next);
  const app = smallApp([express.urlencoded({ extended: false }), later]);

  const answers = [await post(app, sessionCompleted('cs_1')), await post(app, '')];

  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, 'stored'],
    [200, 'ok'],
  ]);
  expect(await storedEvents(shop)).toHaveLength(1);
});

test('the limit of the host counts webhooks without authentication only', async () => {
  const options = { limitWebhook: async () => 7 };
  const open = smallApp([], { ...options, webhookAuth: { scheme: 'none' } });

  const limited = await post(open, sessionCompleted('cs_1'), {});
  const authentic = await post(smallApp([], options), sessionCompleted('cs_1'));
  const notConfigured = await post(smallApp([], { webhookAuth: undefined }), sessionCompleted('cs_1'));

  expect([limited, authentic, notConfigured].map(({ status }) => status)).toEqual([429, 200, 401]);
  expect(limited.headers['retry-after']).toBe('7');
});
