import { readFile } from 'node:fs/promises';
import { allCategories, allProducts, type Goods } from './core/catalogue.js';
import { readCsv } from './core/csv.js';
import { readProductRows } from './core/product-rows.js';
import type { Queries } from './store/database.js';

/** Where goods may come from. */
export interface GoodsSource {
  readonly queries: Queries;
  /** A CSV file; absent: the sample goods. */
  readonly productsFile?: string;
}

/**
 * What this shop sells, asked for once before it listens; a rejected promise keeps it from starting. Answer with what a table of
 * the database or your ERP has, if a file is not enough: `docs/adapting.md` shows how.
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
