import { readFile } from 'node:fs/promises';
import type { Catalog } from '../domain/product.js';
import { createCatalog } from './catalog.js';
import { readCsv } from './csv.js';
import { readProductRows } from './product-rows.js';
import { categories, products } from './sample-products.js';

/**
 * Loads the products and categories before the shop listens: from a CSV file, or the sample products without a file.
 * Throws if the file cannot be used. To read a database table or an ERP instead, see `docs/adapting.md`.
 */
export async function loadCatalog(productsFile: string | undefined): Promise<Catalog> {
  if (productsFile === undefined) return createCatalog({ categories, products });
  const rows = readCsv(decode(await readFile(productsFile), productsFile));
  if (!rows) throw new Error(`${productsFile} is no CSV: a quote is left open`);
  const result = readProductRows(rows);
  if (!result.ok) throw new Error(`${productsFile} cannot be used:\n  - ${result.problems.join('\n  - ')}`);
  return createCatalog(result.data);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8: save it as "CSV UTF-8"`);
  }
}
