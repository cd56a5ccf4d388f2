import { readFile } from 'node:fs/promises';
import type { Database } from '../db/database.js';
import { hasProducts, insertProducts } from '../db/products.js';
import { readCsv } from './csv.js';
import { readProductRows } from './product-rows.js';

/** Imports a CSV file into an empty catalog. Safe to call from several processes at the same time. */
export async function importSampleCatalog({ queries }: Database, file: string, at: number): Promise<void> {
  if (await hasProducts(queries)) return;
  const rows = readCsv(await readFile(file, 'utf8')) ?? [];
  const result = readProductRows(rows);
  if (!result.ok)
    throw new Error(`the sample catalog cannot be used:\n  - ${result.problems.join('\n  - ')}`);
  await insertProducts(queries, result.products, { at, after: 0 });
}
