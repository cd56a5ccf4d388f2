/** Webhook credentials in their forms, and secrets of which the older value is accepted during a change. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { readWebhookAuth } from '@tianguis/payments/testing';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { parseConfig } from '../../src/config/config.js';
import { createContext } from '../../src/context.js';
import { createLog } from '../../src/log.js';
import { addUser, openBackOffice, PASSWORD } from '../support/admin.js';
import { numbers } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const OLDER = randomUUID() + randomUUID();
const NEWEST = randomUUID() + randomUUID();
const shop = await openFileShop({ env: { SESSION_SECRET: OLDER } });

/** Starts a process on the database of the shop, with some settings changed. */
async function startProcess(changed: Readonly<Record<string, string>>, log = createLog('silent')) {
  const reading = parseConfig({ ...shop.environment, ...changed });
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const options = { clock: shop.clock, log, dataDirectory: shop.directory };
  const context = await createContext(reading.config, reading.secrets, options);
  const server = createApp(context.web).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await context[Symbol.asyncDispose]();
    },
  };
}

const TOKEN = 'Zx81kQpL0v7RtY3n';
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

test.each([
  [`bearer:${TOKEN}`, { Authorization: `bearer ${TOKEN}` }, 200],
  [`bearer:${TOKEN}`, { Authorization: `BEARER  ${TOKEN}` }, 200],
  [`BEARER:${TOKEN}`, { Authorization: `Bearer ${TOKEN}` }, 200],
  [`bearer:${TOKEN}`, { Authorization: `Bearer ${TOKEN.toLowerCase()}` }, 401],
  [`bearer:${TOKEN}`, { Authorization: `Bearer ${TOKEN}x` }, 401],
  [`bearer:${TOKEN}`, { Authorization: `Bearer${TOKEN}` }, 401],
  [`bearer:${TOKEN}`, { Authorization: `Basic ${TOKEN}` }, 401],
  [`bearer:${TOKEN}`, { Authorization: TOKEN }, 401],
  [`Basic:tienda:contraseña-€-${TOKEN}`, { Authorization: `BASIC ${base64(`tienda:contraseña-€-${TOKEN}`)}` }, 200],
  [`basic:tienda:ñ${TOKEN}`, { Authorization: `Basic ${base64(`tienda:n${TOKEN}`)}` }, 401],
  [`Header:X-Key:${TOKEN}`, { 'x-key': TOKEN }, 200],
  [`header:X-Key:${TOKEN}`, { 'x-key': TOKEN.toLowerCase() }, 401],
  [`bearer:${TOKEN}, basic:tienda:${OLDER}`, { Authorization: `Bearer ${TOKEN}` }, 200],
  [`bearer:${TOKEN}, basic:tienda:${OLDER}`, { Authorization: `Basic ${base64(`tienda:${OLDER}`)}` }, 200],
  [`bearer:${TOKEN},header:X-Key:${OLDER}`, { 'X-Key': OLDER }, 200],
  [`bearer:${TOKEN},header:X-Key:${OLDER}`, { 'X-Key': TOKEN }, 401],
  [`bearer:${TOKEN},bearer:${OLDER}`, { Authorization: `Bearer ${TOKEN},bearer:${OLDER}` }, 401],
  [`bearer:${TOKEN},bearer:${OLDER}`, {}, 401],
])('case 188: with WEBHOOK_AUTH=%s a webhook with %j is answered %d', async (WEBHOOK_AUTH, headers, status) => {
  const { web } = shop.context;
  const shutdown = new AbortController().signal;
  const app = createApp({ ...web, shutdown, secrets: { ...web.secrets, webhookAuth: readWebhookAuth(WEBHOOK_AUTH) } });

  const answer = await supertest(app)
    .post('/webhooks/payments')
    .set({ ...headers });

  expect(answer.status).toBe(status);
});

test('case 188: a customer keeps the cart while the older SESSION_SECRET is accepted, and loses it afterwards', async () => {
  const linesAt = async ({ url }: { readonly url: string }, cookie: string) => {
    const response = await fetch(`${url}/cart`, { headers: { cookie } });
    return (await response.text()).includes('taza-talavera');
  };
  const cookieOf = (answer: { readonly headers: Record<string, unknown> }) =>
    String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const addTo = (process: { readonly url: string }) =>
    new Customer(process).post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
  const cookie = cookieOf(await addTo(shop));
  await using both = await startProcess({ SESSION_SECRET: `${NEWEST}, ${OLDER}` });
  await using newest = await startProcess({ SESSION_SECRET: NEWEST });
  const signedByNewest = cookieOf(await addTo(both));

  expect([await linesAt(both, cookie), await linesAt(newest, cookie)]).toEqual([true, false]);
  expect([await linesAt(shop, signedByNewest), await linesAt(newest, signedByNewest)]).toEqual([false, true]);
});

test('case 188: a device known by the older SESSION_SECRET is exempt from the limit by name', async () => {
  await addUser(shop, 'luz', 'viewer');
  const known = await openBackOffice(shop, 'luz');
  await using both = await startProcess({ SESSION_SECRET: `${NEWEST},${OLDER}`, TRUST_PROXY: '1' });
  const cookies = known.agent.jar.getCookies({ domain: 'localhost', path: '/admin', secure: false, script: false });
  const device = cookies.find(({ name }) => name === 'tianguis-admin-device');
  const signIn = (address: string, password: string, cookie = '') =>
    fetch(`${both.url}/admin/sign-in`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': address, cookie },
      body: new URLSearchParams({ name: 'luz', password }),
      redirect: 'manual',
    });
  // After 100 tries with a name, each address has three more.
  for (const guess of numbers(100)) await signIn(`198.51.100.${guess}`, 'wrong');
  for (const _ of numbers(3)) await signIn('203.0.113.1', 'wrong');

  const answers = [
    await signIn('203.0.113.1', PASSWORD),
    await signIn('203.0.113.1', PASSWORD, `tianguis-admin-device=${device?.value}`),
  ];

  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [429, null],
    [303, '/admin'],
  ]);
});

test('a start with two values of a secret logs how many are in use, and no value', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const several = { SESSION_SECRET: `${NEWEST},${OLDER}`, WEBHOOK_AUTH: `bearer:${TOKEN},header:X-Key:${OLDER}` };

  await using _both = await startProcess(several, log);
  await using _one = await startProcess({}, log);

  const counted = lines.filter((line) => line.includes('"secret.older_accepted"')).map((line) => JSON.parse(line));
  expect(counted.map(({ setting, count }) => [setting, count])).toEqual([
    ['SESSION_SECRET', 2],
    ['WEBHOOK_AUTH', 2],
  ]);
  for (const secret of [NEWEST, OLDER, TOKEN]) expect(lines.join('')).not.toContain(secret);
});
