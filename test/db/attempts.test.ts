import { describe, expect, test } from '@jest/globals';
import {
  acquireLookup,
  findAttempt,
  findAttempts,
  findWatchedAttempts,
  insertAttempt,
  isGatewayIdTaken,
  leaseDueAttempts,
  putAttempt,
} from '../../src/db/attempts.js';
import { insertOrder } from '../../src/db/orders.js';
import { ATTEMPT_STATES, LIVE_ATTEMPT_STATES } from '../../src/domain/order.js';
import { attemptRow, LINE, orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

async function placeOrder({ db }: TestDatabase): Promise<string> {
  const order = orderRow();
  await insertOrder(db.queries, order, [LINE]);
  return order.id;
}

describe('an attempt row', () => {
  test('is the only live one of its order', async () => {
    await using place = await openTestDatabase();
    const orderId = await placeOrder(place);
    await insertAttempt(place.db.queries, attemptRow(orderId));

    const second = insertAttempt(place.db.queries, attemptRow(orderId, { ordinal: 2 }));

    await expect(second).rejects.toThrow(/unique/i);
  });

  test('makes room for the next one when it ends, and not before', async () => {
    await using place = await openTestDatabase();
    const orderId = await placeOrder(place);
    const first = attemptRow(orderId);
    await insertAttempt(place.db.queries, first);

    for (const state of ATTEMPT_STATES) {
      await putAttempt(place.db.queries, first.id, { state, at: 2 });
      const live = (await findAttempt(place.db.queries, first.id))?.live;

      expect([state, live]).toEqual([state, LIVE_ATTEMPT_STATES.includes(state) ? 1 : null]);
    }
    await insertAttempt(place.db.queries, attemptRow(orderId, { ordinal: 2 }));

    expect((await findAttempts(place.db.queries, orderId)).map(({ ordinal }) => ordinal)).toEqual([1, 2]);
  });

  test('shares its ordinal and the gateway’s id with no other', async () => {
    await using place = await openTestDatabase();
    const ended = { state: 'failed' as const, gatewayId: 'cs_1' };
    const [orderId, otherId] = [await placeOrder(place), await placeOrder(place)];
    await insertAttempt(place.db.queries, attemptRow(orderId, ended));

    const sameOrdinal = insertAttempt(place.db.queries, attemptRow(orderId, { state: 'failed' }));
    await expect(sameOrdinal).rejects.toThrow(/unique/i);
    const sameGateway = insertAttempt(place.db.queries, attemptRow(otherId, ended));
    await expect(sameGateway).rejects.toThrow(/unique/i);

    expect(await isGatewayIdTaken(place.db.queries, 'cs_1')).toBe(true);
    expect(await isGatewayIdTaken(place.db.queries, 'cs_2')).toBe(false);
  });

  test('is watched as long as the gateway may have news of it', async () => {
    await using place = await openTestDatabase();
    const orderId = await placeOrder(place);
    for (const [place_, state] of ATTEMPT_STATES.filter(
      (name) => !LIVE_ATTEMPT_STATES.includes(name),
    ).entries()) {
      const row = attemptRow(orderId, { ordinal: place_ + 1, state, gatewayId: `cs_${state}` });
      await insertAttempt(place.db.queries, row);
    }
    await insertAttempt(
      place.db.queries,
      attemptRow(orderId, { ordinal: 20, state: 'open', gatewayId: 'cs_open' }),
    );

    const watched = await findWatchedAttempts(place.db.queries, orderId);

    expect(watched.map(({ state }) => state).sort()).toEqual(['open', 'review', 'superseded']);
  });
});

describe('the turn to ask about an attempt', () => {
  async function attemptOf(place: TestDatabase): Promise<string> {
    const row = attemptRow(await placeOrder(place), { state: 'open', gatewayId: 'cs_1' });
    await insertAttempt(place.db.queries, row);
    return row.id;
  }

  test('is taken by one of ten who want it at the same instant', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    const id = await attemptOf(place);

    const turns = await Promise.all(
      Array.from({ length: 10 }, (_, place_) =>
        acquireLookup((place_ % 2 ? other : place.db).queries, id, { at: 10_000, notSince: 9_000 }),
      ),
    );

    expect(turns.filter(Boolean)).toHaveLength(1);
  });

  test('comes again once the last answer is old', async () => {
    await using place = await openTestDatabase();
    const id = await attemptOf(place);
    const at = (time: number) => acquireLookup(place.db.queries, id, { at: time, notSince: time - 1_000 });

    const turns = [await at(10_000), await at(10_999), await at(11_000)];

    expect(turns).toEqual([true, false, true]);
  });

  test('comes at once after the clock was set back', async () => {
    await using place = await openTestDatabase();
    const id = await attemptOf(place);
    const at = (time: number) => acquireLookup(place.db.queries, id, { at: time, notSince: time - 1_000 });
    await at(1_000_000);

    const turns = [await at(10_000), await at(10_001)];

    expect(turns).toEqual([true, false]);
  });

  test('is nobody’s for an attempt that does not exist', async () => {
    await using place = await openTestDatabase();

    expect(await acquireLookup(place.db.queries, 'none', { at: 1, notSince: 0 })).toBe(false);
  });
});

describe('what is due', () => {
  test('is taken by one worker, and by another only after its lease', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    for (let made = 0; made < 5; made += 1) {
      const row = attemptRow(await placeOrder(place), {
        state: 'open',
        gatewayId: `cs_${made}`,
        nextCheckAt: 10,
      });
      await insertAttempt(place.db.queries, row);
    }
    const lease = (db: typeof other, at: number) =>
      leaseDueAttempts(db.queries, { at, leaseUntil: at + 100, most: 10 });

    const early = await lease(place.db, 9);
    const [mine, theirs] = await Promise.all([lease(place.db, 20), lease(other, 20)]);
    const within = await lease(other, 119);
    const after = await lease(other, 120);

    expect(early).toEqual([]);
    expect(new Set([...mine, ...theirs].map(({ id }) => id)).size).toBe(5);
    expect(mine.length + theirs.length).toBe(5);
    expect([within.length, after.length]).toEqual([0, 5]);
  });
});
