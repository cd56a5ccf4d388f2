/** Events of discount codes, for the model test. */
import assert from 'node:assert/strict';
import { centavos, OFFER_MARGIN_MS } from '@tianguis/payments/rules';
import { always } from '../../../../test/payments-in-shop/model/commands.js';
import type { System } from '../../../../test/payments-in-shop/model/system.js';
import { endCode, insertCode } from '../repository.js';

const CODE = 'MODELO';

/** Enters a code of one use. The first call creates it. */
async function enterCode(system: System): Promise<void> {
  const limits = { minimum: centavos(0), startsOn: null, endsOn: null, maxUses: 1 };
  const history = { createdAt: 1, createdBy: 'ana', endedAt: null, endedBy: null };
  await insertCode(system.context.db.queries, { code: CODE, kind: 'percent', value: 10, ...limits, ...history });
  system.checks.add(checkUses);
  await system.setCode(CODE);
}

async function checkUses(system: System): Promise<void> {
  const { db, clock, config } = system.context;
  const uses = await db.queries.selectFrom('discountUses').selectAll().execute();
  const orders = (await system.orders()).filter(({ discountCode }) => discountCode === CODE);
  const held = uses.filter(({ usedAt, expiresAt }) => usedAt === null && expiresAt > clock.now());
  assert(held.length <= 1, 'a code of one use is set aside once');
  const code = await db.queries.selectFrom('discountCodes').selectAll().where('code', '=', CODE).executeTakeFirst();
  const longestUse = config.orderTtlMs + OFFER_MARGIN_MS;
  for (const attempt of await system.attempts()) {
    const isReduced = orders.some(({ id }) => id === attempt.orderId);
    const isLate = attempt.createdAt > (code?.endedAt ?? Number.POSITIVE_INFINITY) + longestUse;
    assert(!isReduced || !isLate, 'no payment starts with a code that ended before the use of its order');
  }
  for (const { id, state } of orders) {
    const isUsed = uses.some(({ orderId, usedAt }) => orderId === id && usedAt !== null);
    assert(isUsed ? state === 'paid' : state !== 'paid' || system.hasFailedHost, 'a use counts if its order is paid');
  }
}

export const COMMANDS = [
  always('the customer enters a code of one use', enterCode),
  always('the customer removes the code', (system) => system.setCode(null)),
  always('the code ends', async ({ context: { db, clock } }) => {
    await endCode(db.queries, CODE, { at: clock.now(), by: 'ana' });
  }),
];
