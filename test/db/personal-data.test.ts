import { expect, test } from '@jest/globals';
import { PERSONAL_TABLES } from '../../src/db/personal-data.js';
import { openSharedDatabase } from '../support/test-database.js';

const { queries } = await openSharedDatabase();

/** They name an order, and hold no personal data. */
const OTHERS = [
  ...['attempts', 'fulfillments', 'order_events', 'order_lines', 'outbox', 'refunds'],
  // The hashes of addresses end with the reservation, and with the use of the code.
  ...['discount_uses', 'reservations'],
];

test('each table that names an order is erased with it, unless it holds no personal data', async () => {
  const tables = await queries.introspection.getTables();
  const naming = tables.filter(({ columns }) => columns.some(({ name }) => name === 'order_id'));

  const erased = PERSONAL_TABLES.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(naming.map(({ name }) => name).sort()).toEqual([...erased, ...OTHERS].sort());
});
