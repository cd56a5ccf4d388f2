import { describe, expect, test } from '@jest/globals';
import type { Simulator } from '../simulator.js';
import { cards, createSession, page, readSession, returnUrl, start } from './support.js';

const form = {
  card_number: '4000 0000 0000 0077',
  cardholder_name: 'Eva Ruíz',
  expiry: '08/40',
  cvv: '123',
};

async function open(sim: Simulator, changes: Record<string, unknown> = {}) {
  const { id, url } = await createSession(sim, changes);
  return { id, url, back: `${returnUrl}&session_id=${id}` };
}

describe('the hosted page', () => {
  test('an open session is shown with shop, reference, items, total, time left and test cards', async () => {
    await using sim = await start();

    const { status, text } = await page(sim, (await open(sim)).url);

    expect(status).toBe(200);
    const hooks = ['pay', 'cancel', ...Object.values(cards).map((number) => `test-card-${number}`)];
    for (const part of ['shop.example', 'ORD-1', 'Rebozo', '$249.90', 'data-seconds-left="86'])
      expect(text).toContain(part);
    for (const hook of hooks) expect(text).toContain(`data-test="${hook}"`);
  });

  test('texts of the merchant are escaped, and the policy forbids inline code', async () => {
    await using sim = await start();
    const script = '"><script>alert(1)</script>';
    const line_items = [{ name: script, quantity: 1, unit_price: 1 }];
    const { url } = await open(sim, { external_id: script, line_items });

    const { text, headers } = await page(sim, url);

    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("form-action 'self' https: http://localhost:* http://127.0.0.1:*");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('paying on the hosted page', () => {
  test('a paid form completes the session, charges it and redirects with its id', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const { status, location } = await page(sim, url, form);

    expect([status, location]).toEqual([303, back]);
    expect(await readSession(sim, id)).toMatchObject({
      status: 'completed',
      transaction_status: 'Success',
      paid_at: expect.any(Number),
    });
    expect(sim.control.ledger()).toEqual([
      expect.objectContaining({ kind: 'session', id, amountMinor: 24_990, reference: 'ORD-1' }),
    ]);
  });

  test('a paid session with success_url redirects there', async () => {
    await using sim = await start();
    const { id, url } = await open(sim, { success_url: 'https://shop.example/ok' });

    const { location } = await page(sim, url, { test_card: cards.success });

    expect(location).toBe(`https://shop.example/ok?session_id=${id}`);
  });

  test('a form with wrong fields is shown again with its errors and without card data', async () => {
    await using sim = await start();
    const { url } = await open(sim);

    const { status, text } = await page(sim, url, {
      card_number: '4000000000000078',
      cardholder_name: 'Eva "la" Ruíz',
      expiry: '13/40',
      cvv: '98765',
    });

    expect(status).toBe(422);
    for (const field of ['card_number', 'expiry', 'cvv'])
      expect(text).toContain(`aria-describedby="${field}-error"`);
    expect(text).toContain('Eva &#34;la&#34; Ruíz');
    expect(text).not.toMatch(/4000000000000078|98765/);
    expect(sim.control.ledger()).toEqual([]);
  });

  test('after a decline the session stays payable with another card', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const declined = await page(sim, url, { test_card: cards.insufficient });
    const afterDecline = await readSession(sim, id);
    const shown = await page(sim, declined.location);
    const paid = await page(sim, url, { test_card: cards.success });

    expect(afterDecline).toMatchObject({ status: 'pending', transaction_status: 'Declined', paid_at: null });
    expect(shown.text).toContain('no tiene fondos suficientes');
    expect(paid.location).toBe(back);
    expect((await readSession(sim, id)).payment_id).not.toBe(afterDecline.payment_id);
    expect(sim.control.ledger()).toHaveLength(1);
  });

  test('a second payment of a session charges nothing and links to the shop', async () => {
    await using sim = await start();
    const { url, back } = await open(sim);
    await page(sim, url, form);

    const again = await page(sim, url, form);

    expect((await page(sim, again.location)).text).toContain(back.replaceAll('&', '&amp;'));
    expect(sim.control.ledger()).toHaveLength(1);
  });
});

describe('the end of a session without payment', () => {
  test('a cancelled session redirects to return_url and cannot be paid', async () => {
    await using sim = await start();
    const { id, url, back } = await open(sim);

    const { location } = await page(sim, `${url}/cancel`, {});

    expect(location).toBe(back);
    expect((await readSession(sim, id)).status).toBe('cancelled');
    expect(sim.control.paySession(id)).toEqual({ kind: 'closed', status: 'cancelled' });
  });

  test('a session past expires_at is expired and cannot be paid', async () => {
    await using sim = await start();
    const { id, url } = await open(sim, { expires_at: Math.floor(Date.now() / 1000) + 1_801 });

    sim.control.advanceClock(1_802_000);
    await page(sim, url, form);

    expect(await readSession(sim, id)).toMatchObject({ status: 'expired', transaction_status: 'Expired' });
    expect(sim.control.ledger()).toEqual([]);
  });
});
