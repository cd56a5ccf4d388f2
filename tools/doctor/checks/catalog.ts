import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Queries } from '../../../src/db/database.js';
import { findAllProducts } from '../../../src/db/product-changes.js';
import { hasProducts } from '../../../src/db/products.js';
import type { Locale } from '../../../src/domain/locale.js';
import { projectRoot } from '../../../src/project-root.js';
import type { DoctorContext, Problem } from '../check.js';
import { isRemoteDatabase } from './database.js';

const MAX_SHOWN = 5;

/** Checks the products: an empty catalog, missing pictures, and missing texts. Other checks report a faulty database. */
export async function checkCatalog(context: DoctorContext): Promise<Problem | undefined> {
  const { databaseUrl, locales } = context.config;
  if (!isRemoteDatabase(context) && !existsSync(databaseUrl.slice('file:'.length))) return undefined;
  await using database = openDatabase(databaseUrl, () => {});
  const { missing } = await database.condition();
  if (missing.length > 0) return undefined;
  const { queries } = database;
  if (!(await hasProducts(queries))) return context.production ? EMPTY : undefined;
  return (await pictureProblem(queries)) ?? (await textProblem(queries, locales));
}

const EMPTY: Problem = {
  level: 'warning',
  what: 'The catalog is empty.',
  why: 'Customers see a shop without products.',
  fix: 'Import your products: npm run catalog -- import products.csv',
};

async function pictureProblem(queries: Queries): Promise<Problem | undefined> {
  const ids = (await findAllProducts(queries))
    .map(({ product }) => product)
    .filter(({ image, visible }) => visible && !existsSync(join(projectRoot, 'public', image)))
    .map(({ id }) => id);
  if (ids.length === 0) return undefined;
  return {
    level: 'warning',
    what: `Products have no picture file: ${listOf(ids)}.`,
    why: 'Customers see the text of the picture instead of the picture.',
    fix: 'Put the files below public/, or change the column image and import the products again.',
  };
}

async function textProblem(queries: Queries, locales: readonly Locale[]): Promise<Problem | undefined> {
  const found = (await findAllProducts(queries))
    .map(({ product }) => product)
    .filter(({ name, visible }) => visible && locales.some((locale) => name[locale] === undefined))
    .map(({ id }) => id);
  if (found.length === 0) return undefined;
  return {
    level: 'note',
    what: `Products have no name in a locale of LOCALES: ${listOf(found)}.`,
    why: 'Customers with this locale see another language.',
    fix: 'Fill the columns of this locale and import the products again, or remove the locale from LOCALES.',
  };
}

/** Returns the first ids, and the number of the others. */
function listOf(ids: readonly string[]): string {
  const more = ids.length > MAX_SHOWN ? ` and ${ids.length - MAX_SHOWN} more` : '';
  return `${ids.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
