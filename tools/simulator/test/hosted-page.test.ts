import { describe, expect, test } from '@jest/globals';
import type { Simulator } from '../simulator.js';
import { cards, newSession, page, pageIn, readSession, start } from './support.js';

const filled = {
  card_number: '4000 0000 0000 0077',
  cardholder_name: 'Eva Ruíz',
  expiry: '08/40',
  cvv: '123',
};

async function open(sim: Simulator, changes: Record<string, unknown> = {}) {
  const { id, url } = await newSession(sim, changes);
  return { id, url, back: `https://shop.example/back?a=1&session_id=${id}` };
}

describe('the hosted page', () => {
  test('shows reference, items, total, time left, and that it is not real', async () => {
    await using sim = await start();
    const { url } = await open(sim);

    const { status, text } = await page(sim, url);

    expect(status).toBe(200);
    for (const part of [
      'shop.example',
      'ORD-1',
      'Rebozo',
      '$249.90',
      'data-seconds-left="86',
      'no es dinero real',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('escapes whatever the merchant sent', async () => {
    await using sim = await start();
    const evil = '"><script>alert(1)</script>';
    const { url } = await open(sim, {
      external_id: evil,
      line_items: [{ name: evil, quantity: 1, unit_price: 1 }],
    });

    expect((await page(sim, url)).text).not.toContain('<script>alert');
  });

  test('carries no code or style of its own and a policy that forbids it', async () => {
    await using sim = await start();
    const { url } = await open(sim);

    const { text, headers } = await page(sim, url);

    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("form-action 'self' https: http://localhost:* http://127.0.0.1:*");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('speaks Spanish first, English when asked by the browser or by hand', async () => {
    await using sim = await start();
    const { url } = await open(sim);

    expect((await pageIn('', { sim, address: url })).text).toContain('lang="es"');
    expect((await pageIn('fr', { sim, address: url })).text).toContain('lang="es"');
    expect((await pageIn('en-GB', { sim, address: url })).text).toContain('not real money');
    expect((await page(sim, `${url}?lang=en`)).text).toContain('not real money');
  });

  test('offers every hook that a browser test needs', async () => {
    await using sim = await start();
    const { text } = await page(sim, (await open(sim)).url);

    for (const hook of ['pay', 'cancel', ...Object.values(cards).map((number) => `test-card-${number}`)]) {
      expect(text).toContain(`data-test="${hook}"`);
    }
  });

  test('an unknown session is a true 404 page', async () => {
    await using sim = await start();

    const { status, text } = await page(sim, '/checkout/cs_unknown');

    expect(status).toBe(404);
    expect(text).toContain('No encontramos esta página');
  });
});

describe('paying on the hosted page', () => {
  test('with the form completes the session and returns with its id', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const { status, location } = await page(sim, url, filled);

    expect([status, location]).toEqual([303, back]);
    expect(await readSession(sim, id)).toMatchObject({ status: 'completed', transaction_status: 'Success' });
    expect(sim.control.ledger()).toEqual([
      expect.objectContaining({ kind: 'session', id, amountMinor: 24_990, reference: 'ORD-1' }),
    ]);
  });

  test('prefers success_url', async () => {
    await using sim = await start();
    const { id, url } = await open(sim, { success_url: 'https://shop.example/ok' });

    expect((await page(sim, url, filled)).location).toBe(`https://shop.example/ok?session_id=${id}`);
  });

  test('with a test card needs one click', async () => {
    await using sim = await start();
    const { url, back } = await open(sim);

    expect((await page(sim, url, { test_card: cards.success })).location).toBe(back);
  });

  test('shows each wrong field, keeps what may be kept, and never the card', async () => {
    await using sim = await start();
    const { url } = await open(sim);

    const { status, text } = await page(sim, url, {
      card_number: '4000000000000078',
      cardholder_name: 'Eva "la" Ruíz',
      expiry: '13/40',
      cvv: '98765',
    });

    expect(status).toBe(422);
    for (const field of ['card_number', 'expiry', 'cvv']) {
      expect(text).toContain(`href="#${field}"`);
      expect(text).toContain(`aria-describedby="${field}-error"`);
    }
    expect(text).toContain('Eva &#34;la&#34; Ruíz');
    expect(text).not.toMatch(/4000000000000078|98765/);
    expect(sim.control.ledger()).toEqual([]);
  });

  test.each([
    ['a card past its month', { expiry: '01/20' }],
    ['no name', { cardholder_name: ' ' }],
    ['nothing at all', { card_number: '', cardholder_name: '', expiry: '', cvv: '' }],
  ])('refuses %s', async (_what, wrong) => {
    await using sim = await start();
    const { url } = await open(sim);

    expect((await page(sim, url, { ...filled, ...wrong })).status).toBe(422);
  });

  test('after a decline stays on the page, says why, and lets the customer retry', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const declined = await page(sim, url, { test_card: cards.insufficient });
    const between = await readSession(sim, id);
    const shown = await page(sim, declined.location);
    const paid = await page(sim, url, { test_card: cards.success });

    expect(between).toMatchObject({ status: 'pending', transaction_status: 'Declined', paid_at: null });
    expect(shown.text).toContain('no tiene fondos suficientes');
    expect(paid.location).toBe(back);
    const after = await readSession(sim, id);
    expect(after.payment_id).not.toBe(between.payment_id);
    expect(sim.control.ledger()).toHaveLength(1);
  });

  test('after a processing error says so and leaves no record', async () => {
    await using sim = await start();
    const { id, url } = await open(sim);
    const before = await readSession(sim, id);

    const { location } = await page(sim, url, { test_card: cards.processingError });

    expect((await page(sim, location)).text).toContain('no quedó registro');
    expect(await readSession(sim, id)).toEqual(before);
  });

  test('twice charges once and leads to the page that says so', async () => {
    await using sim = await start();
    const { url, back } = await open(sim);
    await page(sim, url, filled);

    const again = await page(sim, url, filled);
    const shown = await page(sim, again.location);

    expect(shown.text).toContain('Pago recibido');
    expect(shown.text).toContain(back.replaceAll('&', '&amp;'));
    expect(sim.control.ledger()).toHaveLength(1);
  });
});

describe('leaving the hosted page', () => {
  test('by cancelling returns to the shop with the session cancelled', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const { location } = await page(sim, `${url}/cancel`, {});

    expect(location).toBe(back);
    expect((await readSession(sim, id)).status).toBe('cancelled');
    expect((await page(sim, url)).text).toContain('Pago cancelado');
    expect(sim.control.paySession(id)).toEqual({ kind: 'closed', status: 'cancelled' });
  });

  test('by cancelling a session without return_url stays with a true page', async () => {
    await using sim = await start();
    const { url } = await open(sim, { return_url: undefined, success_url: 'https://shop.example/ok' });

    const { location } = await page(sim, `${url}/cancel`, {});

    expect((await page(sim, location)).text).toContain('Pago cancelado');
  });

  test('cannot undo a payment', async () => {
    await using sim = await start();
    const { id, url } = await open(sim);
    sim.control.paySession(id);

    await page(sim, `${url}/cancel`, {});

    expect((await readSession(sim, id)).status).toBe('completed');
  });
});

describe('a session past its end', () => {
  test('is expired for everybody who looks, and cannot be paid', async () => {
    await using sim = await start();
    const { id, url } = await open(sim, { expires_at: Math.floor(Date.now() / 1000) + 1_801 });

    sim.control.advanceClock(1_802_000);

    expect(await readSession(sim, id)).toMatchObject({ status: 'expired', transaction_status: 'Expired' });
    expect((await page(sim, url)).text).toContain('Se acabó el tiempo para pagar');
    await page(sim, url, filled);
    expect(sim.control.ledger()).toEqual([]);
  });
});
