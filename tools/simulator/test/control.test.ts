import { describe, expect, test } from '@jest/globals';
import {
  call,
  cards,
  lookup,
  newPayment,
  newSession,
  page,
  readSession,
  receiver,
  start,
} from './support.js';

describe('forcing a state', () => {
  test('completed with success is a charge, once', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    sim.control.forceSession(id, 'completed', 'Success');
    sim.control.forceSession(id, 'completed', 'Success');

    expect(await readSession(sim, id)).toMatchObject({ status: 'completed', paid_at: expect.any(Number) });
    expect(sim.control.ledger()).toHaveLength(1);
  });

  test('any other pair of words is spoken as given and charges nothing', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    sim.control.forceSession(id, 'completed', 'Declined');

    expect(await readSession(sim, id)).toMatchObject({ status: 'completed', transaction_status: 'Declined' });
    expect(sim.control.ledger()).toEqual([]);
  });

  test.each(['interface', 'public-docs'] as const)(
    'a payment’s word is spoken as given in %s',
    async (profile) => {
      await using sim = await start({ profile });
      const { id } = await newPayment(sim, cards.challenge);

      sim.control.forcePayment(id, 'on_HOLD');
      expect((await lookup(sim, id)).status).toBe('on_HOLD');
      expect(sim.control.ledger()).toEqual([]);

      sim.control.forcePayment(id, 'PAID_FULL');
      expect((await lookup(sim, id)).status).toBe('PAID_FULL');
      expect(sim.control.ledger()).toHaveLength(1);
    },
  );

  test('a session can be cancelled and expired', async () => {
    await using sim = await start();
    const [one, two] = [await newSession(sim), await newSession(sim)];

    sim.control.cancelSession(one.id);
    sim.control.expireSession(two.id);

    expect((await readSession(sim, one.id)).status).toBe('cancelled');
    expect(await readSession(sim, two.id)).toMatchObject({
      status: 'expired',
      transaction_status: 'Expired',
    });
  });

  test('paying without a browser can end at the bank', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    expect(sim.control.paySession(id, cards.challenge)).toMatchObject({ kind: 'challenge' });
    sim.control.approve(id);

    expect((await readSession(sim, id)).status).toBe('completed');
  });

  test('of something unknown is refused by name', async () => {
    await using sim = await start();

    expect(() => sim.control.paySession('x')).toThrow('no such session: x');
    expect(() => sim.control.forceSession('x', 'a', 'b')).toThrow('no such session: x');
    expect(() => sim.control.forcePayment('x', 'a')).toThrow('no such payment: x');
    expect(() => sim.control.approve('x')).toThrow('nothing awaits the bank: x');
    expect(() => sim.control.tokenizeCard('4000000000000078')).toThrow('not a card number');
  });
});

describe('control over HTTP', () => {
  const post = async (sim: Parameters<typeof call>[0], operation: string, body: unknown = {}) =>
    await call(sim, `POST /_control/${operation}`, { body });

  test('pulls the same strings', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    await post(sim, 'fault', { call: 'read-session', fault: { kind: 'status', status: 500 }, times: 1 });
    expect((await call(sim, `GET /checkout/v1/sessions/${id}`)).status).toBe(500);
    expect((await post(sim, 'paySession', { id })).body.result.kind).toBe('paid');
    expect((await call(sim, 'GET /_control/ledger')).body.result).toEqual(sim.control.ledger());
    expect((await call(sim, 'GET /_control/calls?call=read-session')).body.result).toHaveLength(1);
    expect((await post(sim, 'tokenizeCard', { number: cards.success })).body.result).toHaveProperty('cvv');
  });

  test.each([
    ['rateLimit', { call: 'process', retryAfterSeconds: 5 }],
    ['setProfile', { profile: 'public-docs' }],
    ['settings', { declineHttpStatus: 402, webhooks: 'off', signingSecret: null }],
    ['advanceClock', { ms: 1000 }],
    ['clearFaults', {}],
    ['reset', {}],
  ])('%s is accepted', async (operation, body) => {
    await using sim = await start();

    expect(await post(sim, operation, body)).toMatchObject({ status: 200, body: { result: null } });
  });

  test('a clock that was moved shows in the Date of every answer', async () => {
    await using sim = await start();
    sim.control.advanceClock(3_600_000);

    const { headers } = await fetch(`${sim.url}/checkout/v1/sessions/none`);

    const ahead = Date.parse(headers.get('date') ?? '') - Date.now();
    expect(Math.abs(ahead - 3_600_000)).toBeLessThan(60_000);
  });

  test.each([
    ['fault', { call: 'no-such-call', fault: { kind: 'hang' } }],
    ['fault', { call: 'process', fault: { kind: 'no-such-kind' } }],
    ['settings', { webhooks: 'sometimes' }],
    ['paySession', { id: 'unknown' }],
    ['sendWebhookAgain', { id: 'unknown' }],
  ])('%s refuses what it cannot do (%#)', async (operation, body) => {
    await using sim = await start();

    const answer = await post(sim, operation, body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual(expect.any(String));
  });

  test('knows no other operation, and changes nothing by GET', async () => {
    await using sim = await start();

    expect((await post(sim, 'constructor')).status).toBe(404);
    expect((await call(sim, 'GET /_control/reset')).status).toBe(405);
  });

  test('is closed to the pages of other sites', async () => {
    await using sim = await start();
    const headers = { 'Sec-Fetch-Site': 'cross-site' };

    expect((await call(sim, 'POST /_control/reset', { body: {}, headers })).status).toBe(403);
    expect((await call(sim, 'POST /start/reset', { headers })).status).toBe(403);
  });
});

describe('the start page', () => {
  test('shows what happened and links to shop and sessions', async () => {
    await using sim = await start({
      webhook: { url: 'http://localhost:9/hooks', auth: { scheme: 'none' } },
    });
    sim.control.settings({ webhooks: 'off' });
    const session = await newSession(sim);
    const payment = await newPayment(sim);

    const { text } = await page(sim, '/');

    for (const part of [session.url, payment.id, 'http://localhost:9', 'session.created', 'not-sent']) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=/);
  });

  test('changes settings, plans faults, moves the clock and starts over by forms', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);

    await page(sim, '/start/faults', { call: 'read-session', fault: 'status-503', times: 'once' });
    expect(sim.control.faults()).toHaveLength(1);
    await page(sim, '/start/settings', {
      profile: 'public-docs',
      declineHttpStatus: '402',
      webhooks: 'late',
    });
    expect((await page(sim, '/')).text).toContain('<option value="402" selected>');
    await page(sim, '/start/reset', {});
    expect(sim.control.faults()).toEqual([]);
    const { status, location } = await page(sim, '/start/clock?lang=en', { minutes: '1500' });

    expect([status, location]).toEqual([303, '/?lang=en#clock-title']);
    expect((await readSession(sim, id)).status).toBe('expired');
  });

  test.each(['/start/faults', '/start/settings', '/start/clock', '/start/deliveries/x'])(
    '%s takes nonsense calmly',
    async (path) => {
      await using sim = await start();

      expect((await page(sim, path, { call: 'x', minutes: '-1' })).status).toBe(303);
    },
  );

  test('tells in words what is planned, and takes it back', async () => {
    await using sim = await start();

    const planned = await page(sim, '/start/faults', {
      call: 'process',
      fault: 'drop-after',
      times: 'always',
    });
    const { text } = await page(sim, planned.location);
    const cleared = await page(sim, '/start/faults/clear', {});

    expect(text).toContain('Cobrar con tarjeta: Actúa y luego corta (siempre, hasta quitarla)');
    expect(sim.control.faults()).toEqual([]);
    expect((await page(sim, cleared.location)).text).not.toContain('data-test="planned"');
  });

  test.each([200, 500])('sends a webhook again and shows the status of the shop, %d', async (status) => {
    await using hooks = await receiver(status);
    await using sim = await start({ webhook: { url: hooks.url, auth: { scheme: 'none' } } });
    sim.control.settings({ webhooks: 'off' });
    await newSession(sim);
    const [delivery] = sim.control.deliveries();

    const { location } = await page(sim, `/start/deliveries/${delivery?.id}`, {});

    expect(hooks.heard).toHaveLength(1);
    expect((await page(sim, location)).text).toContain(`<td>${status}</td>`);
  });

  test('has its stylesheet, script and icon beside it', async () => {
    await using sim = await start();

    for (const file of ['simulator.css', 'simulator.js', 'wire.js', 'icon.svg']) {
      expect((await page(sim, `/assets/${file}`)).status).toBe(200);
    }
  });
});
