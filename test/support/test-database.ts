import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from '@jest/globals';
import { type Database, type Db, openDatabase } from '../../src/tables/database.js';
import { deleteRecords } from './tables.js';
import { withoutFsync } from './template-database.js';
import { temporaryDatabase } from './temporary-database.js';

export interface TestDatabase extends AsyncDisposable {
  readonly db: Database;
  readonly queries: Db;
  readonly url: string;
  /** Opens a connection to the same tables as another process would. */
  openAgain(): Database;
}

/** Creates a database for one test. With `migrated: false` it has no tables. */
export async function openTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const place = await temporaryDatabase(directory, migrated ? 'tables' : undefined);
  const opened: Database[] = [];
  const openAgain = () => {
    const db = openDatabase(place.url, () => {});
    opened.push(db);
    return db;
  };
  const db = openAgain();
  await withoutFsync(db);
  if (migrated) await db.migrate();
  return {
    db,
    queries: db.queries,
    url: place.url,
    openAgain,
    async [Symbol.asyncDispose]() {
      for (const one of opened) await one[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Opens one database for all tests of a file. Each test starts without rows. */
export async function openSharedDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  beforeEach(() => deleteRecords(database.db));
  afterAll(async () => database[Symbol.asyncDispose]());
  return database;
}
