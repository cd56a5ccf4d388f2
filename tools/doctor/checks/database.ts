/** Checks of the database. They run no migration and create no file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareMigrations, findOtherEncoding } from '@tianguis/payments/database';
import { findSampleTexts } from '../../../src/content/sample-texts.js';
import { projectRoot } from '../../../src/project-root.js';
import { readShippingTable } from '../../../src/shop/read-shipping-table.js';
import type { Product } from '../../../src/shop/rules/product.js';
import { type AdminUser, findAdminUsers } from '../../../src/tables/admin-users.js';
import { type Db, migrators, openDatabase } from '../../../src/tables/database.js';
import { findPicturePaths } from '../../../src/tables/pictures.js';
import { findAllProducts } from '../../../src/tables/product-changes.js';
import { findSettings, findSettingsVersion } from '../../../src/tables/shop-settings.js';
import { writeCheck } from '../../../src/tables/write-check.js';
import type { Check, DoctorContext, Problem } from '../check.js';
import { failureReason } from '../failure-reason.js';
import { findRefusedPageOrigins } from '../find-refused-page-origins.js';

export const databaseChecks: readonly Check[] = [
  { name: 'database', contacts: 'DATABASE_URL', run: checkDatabase },
  { name: 'catalog', contacts: 'DATABASE_URL', run: checkCatalog },
  { name: 'weights', contacts: 'DATABASE_URL', run: checkWeights },
  {
    name: 'two-step verification',
    contacts: 'DATABASE_URL',
    concerns: ({ features }) => features.includes('second-factor'),
    run: checkSecondFactor,
  },
  { name: 'sample texts', contacts: 'DATABASE_URL', runsOffline: true, run: checkSampleTexts },
  {
    name: 'refused payment page',
    contacts: 'DATABASE_URL',
    concerns: ({ config }) => config.paymentFlows.includes('hosted'),
    run: checkRefusedPage,
  },
];

async function checkDatabase({ secrets }: DoctorContext): Promise<Problem | undefined> {
  if (isFileMissing(secrets.databaseUrl))
    return {
      level: 'note',
      what: 'The database file does not exist yet.',
      why: 'The shop creates it at its first start. If you moved the shop, its orders are missing.',
      fix: 'Start the shop, or put the file at the path of DATABASE_URL. The shop’s user account needs write access to its folder.',
    };
  await using database = openDatabase(secrets.databaseUrl, () => {});
  const encoding = await findOtherEncoding(database.queries);
  if (encoding !== undefined)
    return {
      level: 'error',
      what: `The database is not UTF-8: its server_encoding is ${encoding}.`,
      why: 'The shop does not start. Such a database refuses names as D’Ángelo.',
      fix: 'Create another one: createdb --encoding=UTF8 --template=template0 NAME. Copy the data with pg_dump and pg_restore.',
    };
  const { missing, unknown, isForeign } = await compareAll(database.queries);
  if (isForeign)
    return {
      level: 'error',
      what: `The database has unknown migrations (${unknown.join(', ')}) and lacks ${missing.join(', ')}.`,
      why: 'The shop does not start, because the database belongs to another program or another version.',
      fix: 'Run the version of the shop that last used it, or restore the backup from before the upgrade.',
    };
  if (missing.length > 0)
    return {
      level: 'warning',
      what: `The database lacks migrations: ${missing.join(', ')}.`,
      why: 'This version of the shop needs these migrations. It runs them when it starts.',
      fix: 'Make a backup. Then run npm run migrate or start the shop.',
    };
  const fault = await writeCheck(database)().catch(failureReason);
  if (fault === undefined) return unknown.length > 0 ? newerDatabase(unknown) : undefined;
  return {
    level: 'error',
    what: `The database can be read but not written (${fault}).`,
    why: 'The shop cannot store orders, so customers cannot buy.',
    fix: 'Check the permissions of the shop’s user account, free disk space, locks, and whether it is a read-only copy.',
  };
}

/** Migrations only add, so the shop works with it. */
function newerDatabase(unknown: readonly string[]): Problem {
  return {
    level: 'warning',
    what: `The database has migrations of a newer version: ${unknown.join(', ')}.`,
    why: 'This version works with them, and lacks the fixes of the newer one.',
    fix: 'Run the newer version again as soon as its fault is corrected.',
  };
}

/** Returns the migrations that this database has not run, and those that only a newer program has. */
async function compareAll(queries: Db) {
  const compared = [];
  for (const named of await migrators(queries)) compared.push(await compareMigrations(queries, named));
  return {
    missing: compared.flatMap(({ missing }) => missing),
    unknown: compared.flatMap(({ unknown }) => unknown),
    isForeign: compared.some(({ missing, unknown }) => missing.length > 0 && unknown.length > 0),
  };
}

/** Whether the database is a SQLite file that does not exist. To open it would create it. */
function isFileMissing(databaseUrl: string): boolean {
  return databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length));
}

/** Reads the database. Returns `undefined` if migrations are missing, which the check `database` reports. */
export async function readDatabase<Row>(
  { secrets }: DoctorContext,
  find: (queries: Db) => Promise<readonly Row[]>,
): Promise<readonly Row[] | undefined> {
  if (isFileMissing(secrets.databaseUrl)) return undefined;
  await using database = openDatabase(secrets.databaseUrl, () => {});
  const { missing } = await compareAll(database.queries);
  return missing.length === 0 ? await find(database.queries) : undefined;
}

async function checkSecondFactor(context: DoctorContext): Promise<Problem | undefined> {
  const users = (await readDatabase(context, findActiveUsers)) ?? [];
  const unprotected = users.filter(({ role, totpSecret }) => role === 'manager' && totpSecret === null);
  if (!context.production || unprotected.length === 0) return undefined;
  return {
    level: 'note',
    what: `Managers without two-step verification: ${namesOf(unprotected)}.`,
    why: 'A password that leaks gives access to every order.',
    fix: 'Run npm run admin -- totp NAME --enable, and enter the secret in an authenticator app.',
  };
}

export async function findActiveUsers(queries: Db): Promise<readonly AdminUser[]> {
  return (await findAdminUsers(queries)).filter(({ disabledAt }) => disabledAt === null);
}

export function namesOf(users: readonly AdminUser[]): string {
  return users.map(({ name }) => name).join(', ');
}

/** Samples are for development. What the merchant stored in the back office replaces them. */
async function checkSampleTexts(context: DoctorContext): Promise<Problem | undefined> {
  const { config, features, production, projectDirectory, secrets } = context;
  if (!production) return undefined;
  const stored = await readStoredTexts(context);
  const samples = findSampleTexts(join(projectDirectory, 'content'), config.locales, stored ?? new Map());
  if (samples.length === 0) return undefined;
  const isEdited = features.includes('shop-settings');
  const isKnown = !isEdited || stored !== undefined || isFileMissing(secrets.databaseUrl);
  const unless = isKnown ? '' : ', unless the back office replaced them: the database was not read';
  return {
    level: 'error',
    what: `Texts of the sample shop remain. ${samples.join('. ')}.`,
    why: `The shop does not start in production, because customers would read them${unless}.`,
    fix: `Write your own texts, with the help of a lawyer, and enter the merchant, in these files${isEdited ? ' or in the back office' : ''}.`,
  };
}

/** Returns what the merchant stored, or `undefined` if the database is not read. */
async function readStoredTexts(context: DoctorContext) {
  if (context.offline && !context.secrets.databaseUrl.startsWith('file:')) return undefined;
  const find = async (queries: Db) => [await findSettings(queries, await findSettingsVersion(queries))];
  return (await readDatabase(context, find))?.[0];
}

/** Reads what the shop stored, because a check creates no session. */
async function checkRefusedPage(context: DoctorContext): Promise<Problem | undefined> {
  const [origin] = (await readDatabase(context, findRefusedPageOrigins)) ?? [];
  if (origin === undefined || context.config.payments.pageOrigins.includes(origin)) return undefined;
  return {
    level: 'error',
    what: `A checkout failed because CHECKOUT_PAGE_ORIGINS does not list the origin of the payment page, ${origin}.`,
    why: 'The shop redirects customers to no other origin, so no hosted checkout succeeds.',
    fix: `If the gateway’s documentation or support confirms this origin, add ${origin} to CHECKOUT_PAGE_ORIGINS.`,
  };
}

async function checkCatalog(context: DoctorContext): Promise<Problem | undefined> {
  const products = (await readDatabase(context, findAllProducts))?.map(({ product }) => product);
  if (products === undefined) return undefined;
  if (context.production && products.length === 0)
    return {
      level: 'warning',
      what: 'The catalog is empty.',
      why: 'Customers see a shop without products.',
      fix: 'Import your products: npm run catalog -- import products.csv',
    };
  const visible = products.filter((product) => product.visible);
  const uploaded = new Set(await readDatabase(context, findPicturePaths));
  const hasPicture = (image: string) => uploaded.has(image) || existsSync(join(projectRoot, 'public', image));
  const withoutPicture = visible.filter(({ image }) => !hasPicture(image));
  if (withoutPicture.length > 0)
    return {
      level: 'warning',
      what: `Products have no picture: ${listOf(withoutPicture)}.`,
      why: 'Customers see the text of the picture instead of the picture.',
      fix: `${context.features.includes('pictures') ? 'Upload pictures in the back office, or put' : 'Put'} the files of the column image below public/.`,
    };
  const { locales } = context.config;
  const withoutName = visible.filter(({ name }) => locales.some((locale) => name[locale] === undefined));
  if (withoutName.length === 0) return undefined;
  return {
    level: 'note',
    what: `Products have no name in a locale of LOCALES: ${listOf(withoutName)}.`,
    why: 'Customers with this locale see another language.',
    fix: 'Fill the columns of this locale and import the products again, or remove the locale from LOCALES.',
  };
}

async function checkWeights(context: DoctorContext): Promise<Problem | undefined> {
  const [table] = (await readDatabase(context, findShippingTables)) ?? [];
  if (!table?.zones.some(({ delivery }) => delivery?.by === 'weight')) return undefined;
  const products = (await readDatabase(context, findAllProducts))?.map(({ product }) => product) ?? [];
  const unweighed = products.filter(
    (product) => product.visible && product.requiresShipping && product.weight === null,
  );
  if (unweighed.length === 0) return undefined;
  return {
    level: 'note',
    what: `Products that are shipped have no weight: ${listOf(unweighed)}.`,
    why: `Each counts ${table.defaultWeight} g for the price of the delivery.`,
    fix: `Fill the column weight_g and import the products again${context.features.includes('product-editor') ? ', or enter the weights in the back office' : ''}.`,
  };
}

async function findShippingTables(queries: Db) {
  return [readShippingTable(await findSettings(queries, await findSettingsVersion(queries)))];
}

const MAX_SHOWN = 5;

/** Returns the first ids, and the number of the others. */
function listOf(products: readonly Product[]): string {
  const ids = products.slice(0, MAX_SHOWN).map(({ id }) => id);
  const more = products.length > MAX_SHOWN ? ` and ${products.length - MAX_SHOWN} more` : '';
  return `${ids.join(', ')}${more}`;
}
