import { readFile } from 'node:fs/promises';
import type { Database } from '../db/database.js';
import { hasProducts } from '../db/products.js';
import { type ImportOptions, importProducts } from './import-products.js';
import { readProducts } from './read-products.js';

/** Imports a CSV file into an empty catalog. Safe to call from several processes at the same time. */
export async function importSampleCatalog(
  db: Database,
  file: string,
  options: Omit<ImportOptions, 'by'>,
): Promise<void> {
  if (await hasProducts(db.queries)) return;
  const reading = readProducts(await readFile(file), options.locale);
  const result = reading.ok
    ? await importProducts(db, reading.rows, { ...options, by: 'sample catalog' })
    : reading;
  if (!result.ok) throw new Error(`${file} cannot be imported:\n  - ${result.problems.join('\n  - ')}`);
}
