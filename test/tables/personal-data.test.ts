import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FEATURE_ROWS } from '../../src/features/rows.js';
import { projectRoot } from '../../src/project-root.js';
import { PERSONAL_TABLES } from '../../src/tables/personal-data.js';
import { openSharedDatabase } from '../support/test-database.js';

const { queries } = await openSharedDatabase();

/** They name an order, and hold no personal data. */
const OTHERS = [
  ...['attempts', 'fulfillments', 'order_events', 'order_lines', 'outbox', 'refunds'],
  // The hashes of addresses end with the reservation, and with the use of the code.
  ...['discount_uses', 'reservations'],
];

const inDatabase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('each table that names an order is erased with it, unless it holds no personal data', async () => {
  const tables = await queries.introspection.getTables();
  const naming = tables.filter(({ columns }) => columns.some(({ name }) => name === 'order_id'));

  expect(naming.map(({ name }) => name).sort()).toEqual([...PERSONAL_TABLES.map(inDatabase), ...OTHERS].sort());
});

test('the database has each declared table of a feature, with its columns', async () => {
  const tables = await queries.introspection.getTables();
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));

  for (const [table, { personal, expires }] of Object.entries(FEATURE_ROWS)) {
    const { by = [], copied = {} } = personal ?? {};
    const { key = [], since = [] } = expires ?? {};
    const declared = [by, key, since, Object.keys(copied)].flat().map(inDatabase);
    expect([table, columnsOf.get(inDatabase(table))]).toEqual([table, expect.arrayContaining(declared)]);
  }
});

test('each table of a feature is declared by it', () => {
  const folder = join(projectRoot, 'src/features');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^[^/]+\/tables\.ts$/.test(file),
  );
  const tables = files.flatMap((file) => {
    const [, members = ''] = /export interface Tables \{([^}]*)\}/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    return [...members.matchAll(/(\w+):/g)].map(([, table = '']) => [table, file.split('/')[0]]);
  });

  const declared = Object.entries(FEATURE_ROWS).map(([table, { feature }]) => [table, feature]);
  expect(Object.fromEntries(declared)).toMatchObject(Object.fromEntries(tables));
});
