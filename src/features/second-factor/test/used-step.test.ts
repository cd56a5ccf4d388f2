import { expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../../test/support/test-database.js';
import { insertAdminUser } from '../../../tables/admin-users.js';
import { useTotpStep } from '../repository.js';

test('of parallel uses of one time step only one succeeds, and an earlier step fails', async () => {
  await using database = await openTestDatabase();
  const { queries } = database;
  await insertAdminUser(queries, {
    ...{ id: 'a', name: 'ana', role: 'manager', passwordHash: 'hash', totpSecret: null, totpStep: 0 },
    ...{ disabledAt: null, email: null, mustChangePassword: 0, sessionVersion: 1, createdAt: 1, updatedAt: 1 },
  });

  const uses = await Promise.all([1, 2, 3].map(() => useTotpStep(queries, 'a', 60_000_000)));

  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(await useTotpStep(queries, 'a', 59_999_999)).toBe(false);
  expect(await useTotpStep(queries, 'a', 60_000_001)).toBe(true);
});
