import { expect, test } from '@jest/globals';
import { deleteExpiredRows } from '@tianguis/payments/database';
import { sql } from 'kysely';
import { openFileShop } from '../support/shared-shop.js';

const { checkout, queries } = await openFileShop();

test('a further condition with "or" removes no row before its time', async () => {
  await queries
    .insertInto('sessions')
    .values([
      { data: '{}', sid: 'over', expiresAt: 1_000 },
      { data: '{}', sid: 'open', expiresAt: 3_000 },
    ])
    .execute();
  const where = sql<boolean>`sid = 'over' or sid = 'open'`;

  await deleteExpiredRows(checkout.db, [{ table: 'sessions', key: 'sid', since: 'expiresAt', days: 0, where }], 2_000);

  const left = await queries.selectFrom('sessions').select('sid').where('sid', 'in', ['over', 'open']).execute();
  expect(left).toEqual([{ sid: 'open' }]);
});
