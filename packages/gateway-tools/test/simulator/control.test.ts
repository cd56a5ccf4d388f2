import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Simulator } from '../../src/simulator/simulator.js';
import { call, cards, createSession, page, readSession, start } from './support.js';

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
});

afterEach(() => sim.close());

test('a session that is completed twice is charged once', async () => {
  const { id } = await createSession(sim);

  sim.control.completeSession(id);
  sim.control.completeSession(id);

  expect(await readSession(sim, id)).toMatchObject({ status: 'completed', paid_at: expect.any(Number) });
  expect(sim.control.ledger()).toHaveLength(1);
});

test('an operation on an unknown id throws an error with the id', async () => {
  expect(() => sim.control.paySession('x')).toThrow('no such session: x');
  expect(() => sim.control.approve('x')).toThrow('no such challenge: x');
  expect(() => sim.control.tokenizeCard('4000000000000078')).toThrow('not a card number');
});

const post = async (sim: Simulator, operation: string, body: unknown = []) =>
  await call(sim, `POST /_control/${operation}`, { body });

test('operations over HTTP have the effects and results of the control object', async () => {
  const { id } = await createSession(sim);

  await post(sim, 'fault', ['read-session', { kind: 'status', status: 500 }, 1]);
  expect((await call(sim, `GET /checkout/v1/sessions/${id}`)).status).toBe(500);
  expect((await post(sim, 'paySession', [id])).body.result.kind).toBe('paid');
  expect((await call(sim, 'GET /_control/ledger')).body.result).toEqual(sim.control.ledger());
  expect((await post(sim, 'calls', ['read-session'])).body.result).toHaveLength(1);
  expect((await post(sim, 'tokenizeCard', [cards.success])).body.result).toHaveProperty('cvv');
});

test.each([
  ['rateLimit', ['process', 5], 200],
  ['setProfile', ['public-docs'], 200],
  ['settings', [{ declineHttpStatus: 402, webhooks: 'off', signingSecret: null }], 200],
  ['advanceClock', [1000], 200],
  ['clearFaults', [], 200],
  ['reset', [], 200],
  ['fault', ['no-such-call', { kind: 'hang' }], 400],
  ['fault', ['process', { kind: 'no-such-kind' }], 400],
  ['settings', [{ webhooks: 'sometimes' }], 400],
  ['paySession', ['unknown'], 400],
  ['paySession', { id: 'unknown' }, 400],
  ['sendWebhookAgain', ['unknown'], 400],
  ['constructor', [], 404],
])('the control operation %s with %j is answered with %i', async (operation, body, status) => {
  expect((await post(sim, operation, body)).status).toBe(status);
});

test('an operation with an effect is refused with GET and from pages of other sites', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site' };

  expect((await call(sim, 'GET /_control/reset')).status).toBe(405);
  expect((await call(sim, 'POST /_control/reset', { body: {}, headers })).status).toBe(403);
  expect((await call(sim, 'POST /start/reset', { headers })).status).toBe(403);
});

test('forms plan and clear faults, change settings, advance the clock and reset', async () => {
  const { id } = await createSession(sim);

  await page(sim, '/start/faults', { call: 'read-session', fault: 'fault503', times: 'once' });
  expect(sim.control.faults()).toEqual([{ call: 'read-session', fault: { kind: 'status', status: 503 }, left: 1 }]);
  expect((await page(sim, '/')).text).toContain('Consultar la sesión: Error 503 (× 1)');
  await page(sim, '/start/faults/clear', {});
  expect(sim.control.faults()).toEqual([]);
  const settings = {
    profile: 'minimal',
    declineHttpStatus: '402',
    webhooks: 'late',
    latePaymentMinutes: '40',
    refundStatus: 'Pending',
    refundsPerPayment: 'one',
  };
  await page(sim, '/start/settings', settings);
  expect((await page(sim, '/')).text).toContain('<option value="402" selected>');
  await page(sim, '/start/reset', {});
  expect((await page(sim, '/')).text).toContain('<option value="200" selected>');
  const { status, location } = await page(sim, '/start/clock?lang=en', { minutes: '1500' });
  expect([status, location]).toEqual([303, '/?lang=en#clock-title']);
  expect((await readSession(sim, id)).status).toBe('expired');
});
