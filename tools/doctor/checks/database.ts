import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findAdminUsers } from '../../../src/db/admin-users.js';
import { openDatabase, type Queries } from '../../../src/db/database.js';
import { findAllProducts } from '../../../src/db/product-changes.js';
import type { Locale } from '../../../src/domain/locale.js';
import type { Product } from '../../../src/domain/product.js';
import { projectRoot } from '../../../src/project-root.js';
import type { DoctorContext, Problem } from '../check.js';
import { type DatabaseCondition, readCondition } from '../database-condition.js';
import { failureReason } from '../send-request.js';

const MAX_SHOWN = 5;

/** Returns whether the database is a PostgreSQL server. */
export function isRemoteDatabase({ secrets }: DoctorContext): boolean {
  return !secrets.databaseUrl.startsWith('file:');
}

/** Checks that the database is reachable, writable and migrated. */
export async function checkDatabase(context: DoctorContext): Promise<Problem | undefined> {
  const { databaseUrl } = context.secrets;
  const path = databaseUrl.slice('file:'.length);
  if (!isRemoteDatabase(context) && !existsSync(path)) return missingFile(path);
  try {
    await using database = openDatabase(databaseUrl, () => {});
    return conditionProblem(await readCondition(database.queries));
  } catch (error) {
    return {
      level: 'error',
      what: `The database cannot be opened (${failureReason(error)}).`,
      why: 'The shop cannot start.',
      fix: 'Check DATABASE_URL: host, port, user, password and database name, or whether the file is a SQLite database.',
    };
  }
}

/** Runs a check on a migrated database. `checkDatabase` reports every other state of the database. */
async function inDatabase(
  { secrets }: DoctorContext,
  run: (queries: Queries) => Promise<Problem | undefined>,
): Promise<Problem | undefined> {
  const { databaseUrl } = secrets;
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))) return undefined;
  await using database = openDatabase(databaseUrl, () => {});
  const condition = await readCondition(database.queries).catch(() => undefined);
  return condition?.missing.length === 0 ? run(database.queries) : undefined;
}

export async function checkSecondFactor(context: DoctorContext): Promise<Problem | undefined> {
  if (!context.production) return undefined;
  return inDatabase(context, async (queries) => {
    const names = (await findAdminUsers(queries))
      .filter(({ role, totpSecret, disabledAt }) => role === 'manager' && !totpSecret && disabledAt === null)
      .map(({ name }) => name);
    if (names.length === 0) return undefined;
    return {
      level: 'note',
      what: `Managers without a second factor: ${names.join(', ')}.`,
      why: 'A password that leaks gives access to every order, and to refunds.',
      fix: 'Run npm run admin -- totp NAME --enable, and enter the secret in an authenticator app.',
    };
  });
}

/** Checks the products: an empty catalog, missing pictures, and missing texts. */
export function checkCatalog(context: DoctorContext): Promise<Problem | undefined> {
  return inDatabase(context, async (queries) => {
    const products = (await findAllProducts(queries)).map(({ product }) => product);
    if (products.length === 0) return context.production ? EMPTY : undefined;
    const visible = products.filter((product) => product.visible);
    return pictureProblem(visible) ?? textProblem(visible, context.config.locales);
  });
}

const EMPTY: Problem = {
  level: 'warning',
  what: 'The catalog is empty.',
  why: 'Customers see a shop without products.',
  fix: 'Import your products: npm run catalog -- import products.csv',
};

function pictureProblem(products: readonly Product[]): Problem | undefined {
  const found = products.filter(({ image }) => !existsSync(join(projectRoot, 'public', image)));
  if (found.length === 0) return undefined;
  return {
    level: 'warning',
    what: `Products have no picture file: ${listOf(found)}.`,
    why: 'Customers see the text of the picture instead of the picture.',
    fix: 'Put the files below public/, or change the column image and import the products again.',
  };
}

function textProblem(products: readonly Product[], locales: readonly Locale[]): Problem | undefined {
  const found = products.filter(({ name }) => locales.some((locale) => name[locale] === undefined));
  if (found.length === 0) return undefined;
  return {
    level: 'note',
    what: `Products have no name in a locale of LOCALES: ${listOf(found)}.`,
    why: 'Customers with this locale see another language.',
    fix: 'Fill the columns of this locale and import the products again, or remove the locale from LOCALES.',
  };
}

/** Returns the first ids, and the number of the others. */
function listOf(products: readonly Product[]): string {
  const more = products.length > MAX_SHOWN ? ` and ${products.length - MAX_SHOWN} more` : '';
  const ids = products.slice(0, MAX_SHOWN).map(({ id }) => id);
  return `${ids.join(', ')}${more}`;
}

function missingFile(path: string): Problem {
  if (canCreateFilesIn(dirname(path)))
    return {
      level: 'note',
      what: 'The database file does not exist yet.',
      why: 'The shop creates it at its first start. If you moved the shop, its orders are missing.',
      fix: 'Start the shop, or put the file at the path of DATABASE_URL.',
    };
  return {
    level: 'error',
    what: 'The database file does not exist, and its folder is not writable.',
    why: 'The shop cannot start.',
    fix: 'Make the folder of DATABASE_URL writable for the shop’s user account, or set another folder.',
  };
}

function conditionProblem({ missing, unknown, fault }: DatabaseCondition): Problem | undefined {
  if (unknown.length > 0)
    return {
      level: 'error',
      what: `The database has migrations of a newer version: ${unknown.join(', ')}.`,
      why: 'The shop does not start with an unknown migration.',
      fix: 'Run the newer version of the shop, or restore the backup from before the upgrade.',
    };
  if (fault)
    return {
      level: 'error',
      what: `The database can be read but not written (${failureReason(fault)}).`,
      why: 'The shop cannot store orders, so customers cannot buy.',
      fix: 'Check the permissions of the shop’s user account, free disk space, locks, and whether it is a read-only copy.',
    };
  if (missing.length > 0)
    return {
      level: 'warning',
      what: `The database lacks migrations: ${missing.join(', ')}.`,
      why: 'This version of the shop needs these migrations. It runs them when it starts.',
      fix: 'Make a backup. Then run npm run migrate or start the shop.',
    };
  return undefined;
}

/** Returns whether files can be created in a folder, or the folder itself can be created. Creates nothing. */
export function canCreateFilesIn(folder: string): boolean {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return statSync(existing).isDirectory();
  } catch {
    return false;
  }
}
