/** Rows of removed features: the shop without these features erases them with their order, and deletes them after their time. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { sql } from 'kysely';
// Those of the shop with all features. The copy has its own list.
import { FEATURE_ROWS } from '../../src/features/rows.js';
import { insertOrder } from '../../src/tables/orders.js';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { LINE, orderRow } from '../support/rows.js';
import { openSharedDatabase } from '../support/test-database.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { queries, url } = await openSharedDatabase();
const DAY_MS = 24 * 60 * 60 * 1000;
const AT = Date.UTC(2026, 10, 20);
const TABLES = Object.entries(FEATURE_ROWS);

// Long enough for a build on a busy machine.
jest.setTimeout(600_000);

/** Returns a built copy of the project in which `features remove` has removed all features but `retention`. */
function copyWithoutFeatures(): string {
  const copy = copyProject();
  linkPackages(copy);
  commitAll(copy);
  for (const [name, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@shop.example'],
  ] as const)
    run(copy, 'git', 'config', name, value);
  const folders = readdirSync(join(root, 'src/features'), { withFileTypes: true });
  const features = folders.flatMap((entry) => (entry.isDirectory() && entry.name !== 'retention' ? entry.name : []));
  expect(run(copy, 'node', 'tools/features/main.js', 'remove', ...features)).toMatchObject({ code: 0 });
  return copy;
}

/** Runs a statement with the compiled functions of the copy. */
function runInCopy(copy: string, statement: string): string {
  const script = [
    "import { openDatabase } from './dist/src/tables/database.js';",
    "import { readPersonalRows } from './dist/src/tables/personal-data.js';",
    "import { eraseOrders } from './dist/src/features/retention/erase-orders.js';",
    "import { deleteExpiredShopRows } from './dist/src/shop/delete-expired-rows.js';",
    `const db = openDatabase(${JSON.stringify(url)}, console.error);`,
    statement,
    'await db[Symbol.asyncDispose]();',
  ];
  const { code, output } = run(copy, 'node', '--input-type=module', '-e', script.join('\n'));
  expect([code, output]).toEqual([0, expect.anything()]);
  return output;
}

const eraseIn = (copy: string, orderId: string) =>
  runInCopy(copy, `await db.transaction((tx) => eraseOrders(tx, { ids: ['${orderId}'], at: ${AT} }));`);
const deleteExpiredIn = (copy: string, at: number) =>
  runInCopy(copy, `await deleteExpiredShopRows({ db, clock: { now: () => ${at} } });`);

/** Inserts a row about the order into each table. `mark` is the value of its texts and numbers, and valid JSON. */
async function insertRows(orderId: string, mark: number): Promise<void> {
  const all = await queries.introspection.getTables();
  for (const [table, { expires }] of TABLES) {
    const name = inDatabase(table);
    const columns = all.find((each) => each.name === name)?.columns ?? [];
    // SQLite accepts null in a key of one column.
    const needed = ['order_id', ...(expires ? [inDatabase(expires.key), inDatabase(expires.since)] : [])];
    const required = columns.filter(
      (each) => needed.includes(each.name) || !(each.isNullable || each.isAutoIncrementing || each.hasDefaultValue),
    );
    const values = required.map((column) => {
      if (column.name === 'order_id') return orderId;
      if (expires && column.name === inDatabase(expires.since)) return AT;
      if (/blob|bytea/i.test(column.dataType)) return Buffer.from([mark]);
      return /int/i.test(column.dataType) ? mark : String(mark);
    });
    await sql`insert into ${sql.table(name)} (${sql.join(required.map((column) => sql.ref(column.name)))})
      values (${sql.join(values)})`.execute(queries);
  }
}

function inDatabase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Row = Readonly<Record<string, unknown>>;

/** Returns for each table the orders of its rows, `''` for a row without one. */
async function rowsByTable(): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {};
  for (const [table] of TABLES) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(queries);
    found[table] = rows.map((row) => row['orderId'] ?? '').sort();
  }
  return found;
}

test('in a shop without its features, their rows are erased with their order and deleted after their time, and others stay', async () => {
  const copy = copyWithoutFeatures();
  const [erased, kept] = [orderRow(), orderRow({ email: 'luz@example.com' })];
  for (const order of [erased, kept]) await insertOrder(queries, order, [LINE]);
  await insertRows(erased.id, 1);
  await insertRows(kept.id, 2);
  const stored = await rowsByTable();

  const copied = JSON.parse(
    runInCopy(copy, `console.log(JSON.stringify(await readPersonalRows(db.queries, '${erased.id}')));`),
  );
  deleteExpiredIn(copy, AT - 1);
  const early = await rowsByTable();
  eraseIn(copy, erased.id);
  const afterErasure = await rowsByTable();
  deleteExpiredIn(copy, AT + Math.max(...TABLES.map(([, { expires }]) => expires?.days ?? 0)) * DAY_MS);
  const afterTime = await rowsByTable();
  rmSync(copy, { recursive: true });

  expect(copied).toMatchObject({
    formerAddresses: [{ address: 1, replacedAt: '1969-12-31 18:00:00' }],
    formerContacts: [{ contact: 1 }],
    invoiceRequests: [{ rfc: '1', issuedAt: null }],
  });
  expect(Object.values(stored).map(({ length }) => length)).toEqual(TABLES.map(() => 2));
  expect(early).toEqual(stored);
  for (const [table, { personal, expires }] of TABLES) {
    const left = personal ? [kept.id] : stored[table];
    expect([table, afterErasure[table], afterTime[table]]).toEqual([table, left, expires ? [] : left]);
  }
});
