import { readFile } from 'node:fs/promises';
import type { Queries } from './db/database.js';
import { allCategories, allProducts, type Goods } from './domain/catalogue.js';
import { readCsv } from './domain/csv.js';
import { readProductRows } from './domain/product-rows.js';

/** Where the products come from. */
export interface GoodsSource {
  readonly queries: Queries;
  /** A CSV file. Absent: the sample products. */
  readonly productsFile?: string;
}

/**
 * Loads the products and categories once, before the shop listens. Throws when the file cannot be used: the shop then does
 * not start. To read a database table or an ERP instead, see `docs/adapting.md`.
 */
export async function loadGoods({ productsFile }: GoodsSource): Promise<Goods> {
  return productsFile === undefined
    ? { categories: allCategories(), products: allProducts() }
    : goodsIn(productsFile);
}

async function goodsIn(path: string): Promise<Goods> {
  const rows = readCsv(decode(await readFile(path), path));
  if (!rows) throw new Error(`${path} is no CSV: a quote is left open`);
  const reading = readProductRows(rows);
  if (!reading.ok) throw new Error(`${path} cannot be sold from:\n  - ${reading.problems.join('\n  - ')}`);
  return reading.goods;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is not UTF-8: save it as "CSV UTF-8"`);
  }
}
