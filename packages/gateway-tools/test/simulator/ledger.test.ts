import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  call,
  cards,
  createPayment,
  createSession,
  paymentBody,
  readPayment,
  readSession,
  sessionBody,
  start,
} from './support.js';

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'simulator-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test('the ledger file has one line for each charge, also after a reset, and no file has a card number', async () => {
  using folder = temporaryFolder();
  await using sim = await start({ dataDir: folder.path });
  const { id } = await createSession(sim, { external_id: 'ORD-1' });
  sim.control.paySession(id, cards.declined);
  await createPayment(sim, cards.declined);
  sim.control.paySession(id);
  sim.control.paySession(id);
  const payment = await createPayment(sim);
  sim.control.reset();

  const files = readdirSync(folder.path).map((file) => readFileSync(join(folder.path, file), 'utf8'));
  const lines = readFileSync(join(folder.path, 'ledger.jsonl'), 'utf8').trim().split('\n');

  expect(lines.map((line) => JSON.parse(line).record)).toEqual(sim.control.ledger());
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
    expect.objectContaining({ kind: 'payment', id: payment.id, amountMinor: 24_990 }),
  ]);
  for (const number of Object.values(cards)) expect(files.join()).not.toContain(number);
  expect(files.join()).toContain('"last4":"0077"');
});

test('after a restart sessions, payments, tokens, challenges, request ids and ledger are the same', async () => {
  using folder = temporaryFolder();
  const before = await start({ dataDir: folder.path });
  const headers = { 'x-idempotency-key': 'k', 'X-Request-Id': 'k' };
  const options = { body: sessionBody(), headers };
  const session = (await call(before, 'POST /checkout/v1/sessions', options)).body;
  before.control.paySession(session.id, cards.declined);
  const body = paymentBody(before, cards.challenge);
  const pending = await call(before, 'POST /api/v1/process/', { body, headers });
  const paid = await createPayment(before);
  const tokens = before.control.tokenizeCard(cards.insufficient);
  const ledger = before.control.ledger();
  await before.close();

  await using sim = await start({ dataDir: folder.path });

  const { id } = (await call(sim, 'POST /checkout/v1/sessions', options)).body;
  expect(id).toBe(session.id);
  expect((await readSession(sim, id)).transaction_status).toBe('Declined');
  expect((await readPayment(sim, paid.id)).status).toBe('authorized');
  expect(sim.control.ledger()).toEqual(ledger);
  expect((await call(sim, 'POST /api/v1/process/', { body, headers })).body).toEqual(pending.body);
  sim.control.approve(pending.body.id);
  expect((await readPayment(sim, pending.body.id)).status).toBe('authorized');
  const payment = paymentBody(sim, cards.success, { payment_method: { type: 'CARD', ...tokens } });
  expect((await call(sim, 'POST /api/v1/process/', { body: payment })).body.status).toBe('declined');
});

test('after a crash during a write only the incomplete line is lost', async () => {
  using folder = temporaryFolder();
  const first = await start({ dataDir: folder.path });
  const { id: firstId } = await createPayment(first);
  await first.close();
  for (const file of readdirSync(folder.path)) appendFileSync(join(folder.path, file), '{"kind":"pay');

  const second = await start({ dataDir: folder.path });
  const { id: secondId } = await createPayment(second);
  await second.close();
  await using sim = await start({ dataDir: folder.path });

  expect(sim.control.ledger().map(({ id }) => id)).toEqual([firstId, secondId]);
  expect(sim.control.payments()).toHaveLength(2);
});
