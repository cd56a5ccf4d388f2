/** Events of discount codes, for the model test. */
import assert from 'node:assert/strict';
import { endCode, insertCode } from '../../../src/features/discounts/repository.js';
import { centavos } from '../../../src/payments/rules/index.js';
import { always } from '../../model/commands.js';
import type { System } from '../../model/system.js';

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
  const { db, clock } = system.context;
  const uses = await db.queries.selectFrom('discountUses').selectAll().execute();
  const orders = (await system.orders()).filter(({ discountCode }) => discountCode === CODE);
  const held = uses.filter(({ usedAt, expiresAt }) => usedAt === null && expiresAt > clock.now());
  assert(held.length <= 1, 'a code of one use is set aside once');
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
