/** Reads the shop's database from outside while the shop runs, and sets the stock. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { centavos } from '@tianguis/payments/rules';
import type { Product } from '../../src/shop/rules/product.js';
import { type Database, type Db, openDatabase } from '../../src/tables/database.js';
import { writeProducts } from '../../src/tables/product-changes.js';
import { readShopRows } from '../../test/support/invariants.js';
import { storeShippingPrice } from '../../test/support/shop-settings.js';
import { TABLES } from '../../test/support/tables.js';

const PRODUCT: Product = {
  id: 'drill',
  slug: 'drill',
  category: { id: 'drill', name: { 'es-MX': 'Drill' } },
  image: '/logo.svg',
  price: centavos(28_900),
  priceBefore: null,
  taxRate: '16',
  stock: null,
  weight: null,
  requiresShipping: true,
  visible: true,
  featured: false,
  claveProdServ: '',
  claveUnidad: '',
  variantOf: null,
  variantAttribute: null,
  name: { 'es-MX': 'Drill' },
  description: { 'es-MX': '' },
  imageAlt: { 'es-MX': 'Drill' },
};

export function readDatabaseState(databaseUrl: string) {
  return withDatabase(databaseUrl, ({ queries }) => readShopRows(queries));
}

/** Creates the tables with one product and one delivery price, so that the drill does not depend on what the shop sells. */
export function prepareDatabase(databaseUrl: string) {
  return withDatabase(databaseUrl, async (db) => {
    await db.migrate();
    await writeProducts(db.queries, [{ product: PRODUCT, position: 1 }], Date.now());
    await db.transaction((tx) => storeShippingPrice(tx, 99));
  });
}

/** Counts all stored webhook events and all open outbox jobs. */
export function countQueues(databaseUrl: string) {
  return withDatabase(databaseUrl, async ({ queries }) => ({
    events: (await queries.selectFrom('inbox').select('id').execute()).length,
    jobs: (await queries.selectFrom('outbox').select('key').where('doneAt', 'is', null).execute()).length,
  }));
}

/** Sets the stock of a product, as the merchant does. */
export function setStock(databaseUrl: string, id: string, stock: number) {
  return withDatabase(databaseUrl, ({ queries }) =>
    queries.updateTable('products').set({ stock }).where('id', '=', id).execute(),
  );
}

/** Changes the price of the delivery, in pesos, as another process does. */
export function changeShippingPrice(databaseUrl: string, pesos: number) {
  return withDatabase(databaseUrl, ({ transaction }) => transaction((tx) => storeShippingPrice(tx, pesos)));
}

export function readStock(databaseUrl: string, id: string): Promise<number | null> {
  return withDatabase(databaseUrl, async ({ queries }) => {
    const product = queries.selectFrom('products').select('stock').where('id', '=', id);
    return (await product.executeTakeFirstOrThrow()).stock;
  });
}

/** Adds a manager of the back office with the password of the user `admin`. */
export function addManager(databaseUrl: string, name: string) {
  return withDatabase(databaseUrl, async ({ queries }) => {
    const users = queries.selectFrom('adminUsers').selectAll().where('name', '=', 'admin');
    const admin = await users.executeTakeFirstOrThrow();
    await queries
      .insertInto('adminUsers')
      .values({ ...admin, id: randomUUID(), name })
      .execute();
  });
}

/** Runs a change of the schema. */
export function changeDatabase(databaseUrl: string, change: (queries: Db) => Promise<void>) {
  return withDatabase(databaseUrl, ({ queries }) => change(queries));
}

export function readAllRows(databaseUrl: string) {
  return withDatabase(databaseUrl, async ({ queries }) => {
    const rows: { readonly table: string; readonly text: string }[] = [];
    for (const table of TABLES) {
      const found = await queries.selectFrom(table).selectAll().execute();
      rows.push(...found.map((row) => ({ table, text: JSON.stringify(row) })));
    }
    return rows;
  });
}

const MAX_TRIES = 5;

/** Retries, because the SQLite file may be locked while the shop writes. */
async function withDatabase<T>(url: string, read: (db: Database) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    await using db = openDatabase(url, () => {});
    try {
      return await read(db);
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
    await delay(100);
  }
}
