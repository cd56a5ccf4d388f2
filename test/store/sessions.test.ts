import { describe, expect, test } from '@jest/globals';
import { prune } from '../../src/store/prune.js';
import { endSession, findSession, putSession } from '../../src/store/sessions.js';
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

  test('is removed once it has run out, and no other is', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await putSession(queries, { sid: 'old', data: 'x', expiresAt: 10 });
    await putSession(queries, { sid: 'new', data: 'x', expiresAt: 11 });

    await prune(queries, 'sessions', { before: 10, most: 5 });

    expect(await queries.selectFrom('sessions').select('sid').execute()).toEqual([{ sid: 'new' }]);
  });
});
