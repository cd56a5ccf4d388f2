import { describe, expect, test } from '@jest/globals';
import { cards, lookup, newPayment, newSession, page, readSession, start } from './support.js';

const shopBack = 'https://shop.example/back?a=1';

describe('the bank page of a card payment', () => {
  test('shows shop, amount and card, and offers its hooks', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);

    const { status, text } = await page(sim, payment.next_action.redirect_to_url.url);

    expect(status).toBe(200);
    for (const part of ['shop.example', '$249.90', '•••• 9860']) expect(text).toContain(part);
    for (const hook of ['approve', 'refuse', 'walk-away', 'return-post']) {
      expect(text).toContain(`data-test="${hook}"`);
    }
  });

  test.each([
    ['approve', 'authorized', 1],
    ['refuse', 'declined', 0],
  ])('%s settles the payment and returns to the shop', async (answer, status, charges) => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);

    const { location } = await page(sim, payment.next_action.redirect_to_url.url, { answer, return: 'get' });

    expect(location).toBe(shopBack);
    expect((await lookup(sim, payment.id)).status).toBe(status);
    expect(sim.control.ledger()).toHaveLength(charges);
  });

  test('walking away changes nothing and says so', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);
    const { url } = payment.next_action.redirect_to_url;

    const { status, text } = await page(sim, url, { answer: 'walk-away' });

    expect(status).toBe(200);
    expect(text).toContain('Puedes cerrar esta página');
    expect((await lookup(sim, payment.id)).status).toBe('pending');
    expect((await page(sim, url)).text).toContain('data-test="approve"');
  });

  test('can return by POST, with a button for browsers without scripts', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);

    const { status, text } = await page(sim, payment.next_action.redirect_to_url.url, {
      answer: 'approve',
      return: 'post',
    });

    expect(status).toBe(200);
    expect(text).toContain(`<form method="post" action="${shopBack}" data-submit-now>`);
    expect(text).toContain('data-test="continue"');
    expect((await lookup(sim, payment.id)).status).toBe('authorized');
  });

  test('hears the first answer only', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);
    const { url } = payment.next_action.redirect_to_url;
    await page(sim, url, { answer: 'refuse' });

    const again = await page(sim, url, { answer: 'approve' });

    expect(again.text).toContain('El banco ya tiene tu respuesta');
    expect((await page(sim, url)).text).toContain(shopBack);
    expect((await lookup(sim, payment.id)).status).toBe('declined');
    expect(sim.control.ledger()).toEqual([]);
  });

  test('after 30 minutes is closed and the payment expired', async () => {
    await using sim = await start();
    const payment = await newPayment(sim, cards.challenge);
    const { url } = payment.next_action.redirect_to_url;

    sim.control.advanceClock(30 * 60_000);

    expect((await page(sim, url, { answer: 'approve' })).text).toContain('Se acabó el tiempo para contestar');
    expect((await lookup(sim, payment.id)).status).toBe('expired');
  });

  test('of nobody is a 404', async () => {
    await using sim = await start();

    expect((await page(sim, '/bank/unknown')).status).toBe(404);
    expect((await page(sim, '/bank/unknown', { answer: 'approve' })).status).toBe(404);
  });
});

describe('the bank page of a hosted session', () => {
  async function toBank(card: string = cards.challenge) {
    const sim = await start();
    const { id, url } = await newSession(sim);
    const { location } = await page(sim, url, { test_card: card });
    return { sim, id, url, bank: location };
  }

  test('approved leads over the hosted page to the shop', async () => {
    const { sim, id, bank } = await toBank();
    await using _ = sim;
    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Pending' });

    const fromBank = await page(sim, bank, { answer: 'approve' });
    const fromHosted = await page(sim, fromBank.location);

    expect(fromHosted.location).toBe(`${shopBack}&session_id=${id}`);
    expect((await readSession(sim, id)).status).toBe('completed');
  });

  test('refused leads back to the hosted page for another try', async () => {
    const { sim, id, url, bank } = await toBank();
    await using _ = sim;

    const fromBank = await page(sim, bank, { answer: 'refuse' });
    const hosted = await page(sim, (await page(sim, fromBank.location, {})).location);

    expect(hosted.text).toContain('no confirmó que fueras tú');
    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Declined' });
    expect((await page(sim, url, { test_card: cards.success })).location).toContain('session_id');
  });

  test('approved with the card that is declined afterwards stays unpaid', async () => {
    const { sim, id, bank } = await toBank(cards.challengeDeclined);
    await using _ = sim;

    await page(sim, bank, { answer: 'approve' });

    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Declined' });
    expect(sim.control.ledger()).toEqual([]);
  });

  test('while open is linked from the hosted page', async () => {
    const { sim, url, bank } = await toBank();
    await using _ = sim;

    expect((await page(sim, url)).text).toContain(bank);
  });

  test('unanswered for 30 minutes leaves the session payable', async () => {
    const { sim, id, url } = await toBank();
    await using _ = sim;

    sim.control.advanceClock(30 * 60_000);

    expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Expired' });
    expect((await page(sim, url)).text).toContain('Se acabó el tiempo para confirmar con tu banco');
    expect(sim.control.paySession(id)).toMatchObject({ kind: 'paid' });
  });

  test('approved after another card has paid charges no second time', async () => {
    const { sim, id, bank } = await toBank();
    await using _ = sim;
    sim.control.paySession(id);

    await page(sim, bank, { answer: 'approve' });

    expect(sim.control.ledger()).toHaveLength(1);
  });
});
