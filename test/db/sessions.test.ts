import { expect, test } from '@jest/globals';
import { endSession, findSession, putSession, replaceSession } from '../../src/db/sessions.js';
import { openTestDatabase } from '../support/test-database.js';

test('a session is found with its newest data until it expires', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await putSession(queries, { sid: 's', data: 'old', expiresAt: 50 });
  await putSession(queries, { sid: 's', data: 'new', expiresAt: 100 });

  expect(await findSession(queries, 's', 99)).toBe('new');
  expect(await findSession(queries, 's', 100)).toBeUndefined();
  expect(await findSession(queries, 'other', 1)).toBeUndefined();
});

test('a session can be ended earlier and not later', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await putSession(queries, { sid: 's', data: 'x', expiresAt: 100 });

  await endSession(queries, 's', 50);
  await endSession(queries, 's', 80);

  expect(await findSession(queries, 's', 49)).toBe('x');
  expect(await findSession(queries, 's', 50)).toBeUndefined();
});

test('a replaced session expires soon with its old data, and not later than before', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await putSession(queries, { sid: 'long', data: 'cart', expiresAt: 100 });
  await putSession(queries, { sid: 'short', data: 'cart', expiresAt: 20 });

  for (const replaced of ['long', 'short', 'unknown']) {
    const session = { sid: `after-${replaced}`, data: 'order', expiresAt: 200 };
    await replaceSession(queries, session, { replaced, replacedUntil: 50 });
  }

  const rows = await queries.selectFrom('sessions').selectAll().orderBy('sid').execute();
  expect(rows.map(({ sid, data, expiresAt }) => [sid, data, expiresAt])).toEqual([
    ['after-long', 'order', 200],
    ['after-short', 'order', 200],
    ['after-unknown', 'order', 200],
    ['long', 'cart', 50],
    ['short', 'cart', 20],
  ]);
});
