import { describe, expect, test } from '@jest/globals';
import type { Simulator } from '../simulator.js';
import {
  cards,
  createPayment,
  createSession,
  page,
  readPayment,
  readSession,
  returnUrl,
  start,
} from './support.js';

describe('the bank page of a card payment', () => {
  async function open(sim: Simulator, card: string = cards.challenge) {
    const { id, next_action } = await createPayment(sim, card);
    return { id, url: next_action.redirect_to_url.url as string };
  }

  test('an open challenge is shown with shop, amount, card and answers', async () => {
    await using sim = await start();

    const { status, text } = await page(sim, (await open(sim)).url);

    expect(status).toBe(200);
    for (const part of ['shop.example', '$249.90', '•••• 9860']) expect(text).toContain(part);
    for (const hook of ['approve', 'refuse', 'walk-away', 'return-post'])
      expect(text).toContain(`data-test="${hook}"`);
  });

  test.each([
    ['approve', 'authorized', 1],
    ['refuse', 'declined', 0],
  ])('the answer %s settles the payment as %s and redirects', async (answer, status, charges) => {
    await using sim = await start();
    const { id, url } = await open(sim);

    const { location } = await page(sim, url, { answer, return: 'get' });

    expect(location).toBe(returnUrl);
    expect((await readPayment(sim, id)).status).toBe(status);
    expect(sim.control.ledger()).toHaveLength(charges);
  });

  test('leaving without an answer changes nothing', async () => {
    await using sim = await start();
    const { id, url } = await open(sim);

    expect((await page(sim, url, { answer: 'walk-away' })).status).toBe(200);

    expect((await readPayment(sim, id)).status).toBe('pending');
    expect((await page(sim, url)).text).toContain('data-test="approve"');
  });

  test('the return by POST is a form with a button', async () => {
    await using sim = await start();
    const { id, url } = await open(sim);

    const { status, text } = await page(sim, url, { answer: 'approve', return: 'post' });

    expect(status).toBe(200);
    expect(text).toContain(`<form method="post" action="${returnUrl}" data-submit-now>`);
    expect(text).toContain('data-test="continue"');
    expect((await readPayment(sim, id)).status).toBe('authorized');
  });

  test('an answer after 30 minutes is refused and the payment is expired', async () => {
    await using sim = await start();
    const { id, url } = await open(sim);

    sim.control.advanceClock(30 * 60_000);

    expect((await page(sim, url, { answer: 'approve' })).text).toContain('Se acabó el tiempo');
    expect((await readPayment(sim, id)).status).toBe('expired');
  });

  test('an unknown challenge is answered with 404', async () => {
    await using sim = await start();

    expect((await page(sim, '/bank/unknown')).status).toBe(404);
    expect((await page(sim, '/bank/unknown', { answer: 'approve' })).status).toBe(404);
  });
});

describe('the bank page of a hosted session', () => {
  async function open(sim: Simulator, card: string = cards.challenge) {
    const { id, url } = await createSession(sim);
    const { location } = await page(sim, url, { test_card: card });
    return { id, url: url as string, bank: location };
  }

  test('an approved challenge completes the session and redirects to the shop', async () => {
    await using sim = await start();
    const { id, url, bank } = await open(sim);
    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Pending' });
    expect((await page(sim, url)).text).toContain(bank);

    const fromBank = await page(sim, bank, { answer: 'approve' });

    expect((await page(sim, fromBank.location)).location).toBe(`${returnUrl}&session_id=${id}`);
    expect((await readSession(sim, id)).status).toBe('completed');
  });

  test('a refused challenge returns to the hosted page, where another card pays', async () => {
    await using sim = await start();
    const { id, url, bank } = await open(sim);

    const fromBank = await page(sim, bank, { answer: 'refuse' });
    const hosted = await page(sim, (await page(sim, fromBank.location, {})).location);

    expect(hosted.text).toContain('no confirmó que fueras tú');
    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Declined' });
    expect((await page(sim, url, { test_card: cards.success })).location).toContain('session_id');
  });

  test('an approval after another card has paid charges nothing', async () => {
    await using sim = await start();
    const { id, bank } = await open(sim);
    sim.control.paySession(id);

    await page(sim, bank, { answer: 'approve' });

    expect(sim.control.ledger()).toHaveLength(1);
  });
});
