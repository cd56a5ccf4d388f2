/** The catalog of the test shop. The tests are independent of the shop's own products and of its shipping prices. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { importSampleCatalog } from '../../src/catalog/import-products.js';
import { type Cells, productReader } from '../../src/catalog/product-cells.js';
import type { Product } from '../../src/shop/rules/product.js';
import type { Database } from '../../src/tables/database.js';

export const CATALOG_FILE = fileURLToPath(new URL('products.csv', import.meta.url));
/** $289.00. It requires no shipping, so its price is the total in every shop. */
export const MUG = 'taza-talavera';
/** The same for delivery: the only product that requires shipping. */
export const SHIPPED = 'taza-enviada';

const rules = { locale: 'es-MX', hasPicture: () => true } as const;

/** Imports the catalog of the test shop into an empty catalog. */
export const importTestCatalog = (db: Database): Promise<void> =>
  importSampleCatalog(db, CATALOG_FILE, { ...rules, at: Date.now() });

/** Returns the products of the test shop, in display order. */
export function testProducts(): readonly [Product, ...Product[]] {
  const read = productReader(rules);
  const rows: readonly Cells[] = parse(readFileSync(CATALOG_FILE), { bom: true, columns: true });
  const products = rows.flatMap((cells) => {
    const reading = read(cells);
    return reading.ok ? [reading.product] : [];
  });
  const [first, ...others] = products;
  if (!first) throw new Error(`${CATALOG_FILE} has no products`);
  return [first, ...others];
}

/** Returns a stored product without the columns that a shop added. */
export function withoutOwnColumns(product: Product): Product {
  const names = Object.keys(testProducts()[0]);
  return Object.fromEntries(Object.entries(product).filter(([name]) => names.includes(name))) as unknown as Product;
}
