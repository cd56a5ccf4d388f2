import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Simulator } from '../../src/simulator/simulator.js';
import { cards, createSession, page, readSession, start } from './support.js';

const MINUTE = 60_000;

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
  sim.control.settings({ latePaymentMinutes: 40 });
});

afterEach(() => sim.close());

/** Creates a session and advances the clock to this many minutes past its end. */
async function sessionPastItsEnd(minutes: number) {
  const session = await createSession(sim);
  sim.control.advanceClock(session.expires_at * 1000 - session.created_at + minutes * MINUTE);
  return session;
}

test('with a late payment a session stays pending past its end, and its page has no countdown and takes a card', async () => {
  const { id } = await sessionPastItsEnd(39);

  expect(await readSession(sim, id)).toMatchObject({ status: 'pending', transaction_status: 'Pending' });
  expect((await page(sim, `/checkout/${id}`)).text).not.toContain('data-seconds-left');
  await page(sim, `/checkout/${id}`, { test_card: cards.success });
  expect((await readSession(sim, id)).status).toBe('completed');
});

test('a late payment completes the session at its time, is charged once and sends no webhook', async () => {
  const { id, expires_at, payment_id } = await sessionPastItsEnd(60);

  const paid_at = expires_at * 1000 + 40 * MINUTE;
  const paid = { status: 'completed', transaction_status: 'Success', payment_id, paid_at };
  expect(await readSession(sim, id)).toMatchObject(paid);
  expect(await readSession(sim, id)).toMatchObject(paid);
  expect(sim.control.ledger()).toMatchObject([{ id, paymentId: payment_id }]);
  expect(sim.control.deliveries().map(({ event }) => event)).toEqual(['session.created']);
});

test('a cancelled session gets no late payment, and without the setting a session expires at its end', async () => {
  const cancelled = await createSession(sim);
  sim.control.cancelSession(cancelled.id);
  await sessionPastItsEnd(60);
  sim.control.settings({ latePaymentMinutes: 0 });
  const { id } = await sessionPastItsEnd(0);

  expect((await readSession(sim, cancelled.id)).status).toBe('cancelled');
  expect((await readSession(sim, id)).status).toBe('expired');
});
