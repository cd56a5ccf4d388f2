import { describe, expect, test } from '@jest/globals';
import { deleteExpired } from '../../src/db/retention.js';
import { endSession, findSession, putSession, replaceSession } from '../../src/db/sessions.js';
import { openTestDatabase } from '../support/test-database.js';

describe('a session row', () => {
  test('is found until its time, and its newest data counts', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await putSession(queries, { sid: 's', data: 'old', expiresAt: 50 });
    await putSession(queries, { sid: 's', data: 'new', expiresAt: 100 });

    expect(await findSession(queries, 's', 99)).toBe('new');
    expect(await findSession(queries, 's', 100)).toBeUndefined();
    expect(await findSession(queries, 'other', 1)).toBeUndefined();
  });

  test('may be made to end sooner and never later', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await putSession(queries, { sid: 's', data: 'x', expiresAt: 100 });

    await endSession(queries, 's', 50);
    await endSession(queries, 's', 80);

    expect(await findSession(queries, 's', 49)).toBe('x');
    expect(await findSession(queries, 's', 50)).toBeUndefined();
  });

  test('replaced by another one expires soon with its old data, and never later than it would have', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await putSession(queries, { sid: 'long', data: 'cart', expiresAt: 100 });
    await putSession(queries, { sid: 'short', data: 'cart', expiresAt: 20 });

    for (const replaced of ['long', 'short', 'unknown'])
      await replaceSession(
        queries,
        { sid: `after-${replaced}`, data: 'cart and order', expiresAt: 200 },
        { replaced, replacedUntil: 50 },
      );

    const rows = await queries.selectFrom('sessions').selectAll().orderBy('sid').execute();
    expect(rows).toEqual([
      { sid: 'after-long', data: 'cart and order', expiresAt: 200 },
      { sid: 'after-short', data: 'cart and order', expiresAt: 200 },
      { sid: 'after-unknown', data: 'cart and order', expiresAt: 200 },
      { sid: 'long', data: 'cart', expiresAt: 50 },
      { sid: 'short', data: 'cart', expiresAt: 20 },
    ]);
  });

  test('is removed once it has run out, and no other is', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await putSession(queries, { sid: 'old', data: 'x', expiresAt: 10 });
    await putSession(queries, { sid: 'new', data: 'x', expiresAt: 11 });

    await deleteExpired(queries, 'sessions', { before: 10, most: 5 });

    expect(await queries.selectFrom('sessions').select('sid').execute()).toEqual([{ sid: 'new' }]);
  });
});
