import { expect, test } from '@jest/globals';
import {
  type AdminUser,
  findSignIns,
  insertAdminUser,
  recordSignIn,
  useTotpStep,
} from '../../src/db/admin-users.js';
import { deleteExpired } from '../../src/db/retention.js';
import { openTestDatabase } from '../support/test-database.js';

const user = (id: string, name: string): AdminUser => ({
  ...{ id, name, role: 'manager', passwordHash: 'hash', totpSecret: null, totpStep: 0 },
  ...{ disabledAt: null, sessionVersion: 1, createdAt: 1, updatedAt: 1 },
});

test('of parallel uses of one time step only one succeeds, and an earlier step fails', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await insertAdminUser(queries, user('a', 'ana'));

  const uses = await Promise.all([1, 2, 3].map(() => useTotpStep(queries, 'a', 60_000_000)));

  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await useTotpStep(queries, 'a', 59_999_999)).toBe(false);
  expect(await useTotpStep(queries, 'a', 60_000_001)).toBe(true);
});

test('sign-ins are listed with their user, newest first, until retention removes them', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await insertAdminUser(queries, user('a', 'ana'));
  for (const at of [1, 2]) await recordSignIn(queries, { userId: 'a', at, result: 'signed_in' });
  await recordSignIn(queries, { userId: null, at: 3, result: 'unknown_name' });

  expect((await findSignIns(queries, 2)).map(({ at, name }) => [at, name])).toEqual([
    [3, null],
    [2, 'ana'],
  ]);
  expect(await deleteExpired(queries, 'signIns', { before: 2, most: 10 })).toBe(2);
  expect(await findSignIns(queries, 2)).toHaveLength(1);
});
