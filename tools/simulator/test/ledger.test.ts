import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  call,
  cards,
  lookup,
  newPayment,
  newSession,
  paymentBody,
  readSession,
  sessionBody,
  start,
} from './support.js';

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'simulator-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe('the ledger', () => {
  test('is one line a charge and holds nothing else', async () => {
    using dir = folder();
    await using sim = await start({ dataDir: dir.path });
    const { id, payment_id } = await newSession(sim);
    sim.control.paySession(id, cards.declined);
    await newPayment(sim, cards.declined);
    sim.control.paySession(id);
    sim.control.paySession(id);

    const lines = readFileSync(join(dir.path, 'ledger.jsonl'), 'utf8').trim().split('\n');

    expect(lines.map((line) => JSON.parse(line))).toEqual(sim.control.ledger());
    expect(sim.control.ledger()).toEqual([
      {
        kind: 'session',
        id,
        paymentId: expect.any(Number),
        amountMinor: 24_990,
        currency: 'MXN',
        reference: 'ORD-1',
        at: expect.any(Number),
      },
    ]);
    expect(sim.control.ledger()[0]?.paymentId).not.toBe(payment_id);
  });

  test('is written before the answer that tells of the charge', async () => {
    using dir = folder();
    await using sim = await start({ dataDir: dir.path });

    const { id } = await newPayment(sim);

    expect(readFileSync(join(dir.path, 'ledger.jsonl'), 'utf8')).toContain(id);
  });

  test('survives a reset', async () => {
    await using sim = await start();
    await newPayment(sim);

    sim.control.reset();

    expect(sim.control.ledger()).toHaveLength(1);
  });
});

describe('a restart', () => {
  test('keeps sessions, payments, tokens, bank questions, keys and the ledger', async () => {
    using dir = folder();
    const keys = { 'x-idempotency-key': 'k', 'X-Request-Id': 'k' };
    const before = await start({ dataDir: dir.path });
    const session = (await call(before, 'POST /checkout/v1/sessions', { body: sessionBody(), headers: keys }))
      .body;
    before.control.paySession(session.id, cards.declined);
    const body = paymentBody(before, cards.challenge);
    const pending = await call(before, 'POST /api/v1/process/', { body, headers: keys });
    const paid = await newPayment(before);
    const tokens = before.control.tokenizeCard(cards.insufficient);
    const ledger = before.control.ledger();
    await before.close();

    await using sim = await start({ dataDir: dir.path });

    expect(await readSession(sim, session.id)).toMatchObject({
      id: session.id,
      transaction_status: 'Declined',
    });
    expect((await lookup(sim, paid.id)).status).toBe('authorized');
    expect(sim.control.ledger()).toEqual(ledger);
    const replayed = await call(sim, 'POST /api/v1/process/', { body, headers: keys });
    expect(replayed.body).toEqual(pending.body);
    sim.control.approve(pending.body.id);
    expect((await lookup(sim, pending.body.id)).status).toBe('authorized');
    const withOldTokens = { ...paymentBody(sim), payment_method: { type: 'CARD', ...tokens } };
    const declined = await call(sim, 'POST /api/v1/process/', { body: withOldTokens });
    expect(declined.body.status).toBe('declined');
  });

  test('after a crash in the middle of a line loses that line only', async () => {
    using dir = folder();
    const before = await start({ dataDir: dir.path });
    const first = await newPayment(before);
    await before.close();
    for (const file of readdirSync(dir.path)) appendFileSync(join(dir.path, file), '{"kind":"pay');

    const middle = await start({ dataDir: dir.path });
    const second = await newPayment(middle);
    await middle.close();
    await using sim = await start({ dataDir: dir.path });

    expect(sim.control.ledger().map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(sim.control.payments()).toHaveLength(2);
  });
});

describe('what is kept on disk', () => {
  test('holds no card number and no code', async () => {
    using dir = folder();
    await using sim = await start({ dataDir: dir.path });
    const { id } = await newSession(sim);
    sim.control.paySession(id, cards.challenge);
    await newPayment(sim);

    const text = readdirSync(dir.path).map((file) => readFileSync(join(dir.path, file), 'utf8'));

    for (const number of Object.values(cards)) expect(text.join()).not.toContain(number);
    expect(text.join()).toContain('"last4":"9860"');
  });
});
