/** A group of variants in the catalog. */
import { expect } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import { importProducts } from '../../src/catalog/import-products.js';
import { Customer } from './customer.js';
import { inEnglish } from './locales.js';
import type { TestShop } from './test-shop.js';

const SHIRT = {
  ...{ image: '/logo.svg', image_alt_es_mx: 'Una playera', description_es_mx: 'De algodón', requires_shipping: 'no' },
  ...{ name_es_mx: 'Playera', category_es_mx: 'Ropa', stock: '', visible: 'yes', price_before: '' },
};
/** A group whose main product is red. Two variants follow it in the catalog, and one of them has a category of its own. */
export const ROWS = [
  { ...SHIRT, id: 'playera-roja', price: '250', variant_of: '', variant_es_mx: 'roja' },
  { ...SHIRT, id: 'playera-azul', price: '280', variant_of: 'playera-roja', variant_es_mx: 'azul', stock: '0' },
  {
    ...{ ...SHIRT, id: 'playera-verde', price: '250.00', variant_of: 'playera-roja', variant_es_mx: 'verde' },
    ...{ category_es_mx: 'Ofertas', ...inEnglish({ name_en: 'Shirt', variant_en: 'green' }) },
  },
];

/** Imports these rows. An existing product takes its stock from its row. */
export async function importVariants({ checkout, clock }: TestShop, rows: readonly object[] = ROWS): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const file = Buffer.from(stringify([...rows], { header: true, columns }));
  const rules = { locale: 'es-MX', hasPicture: () => true, stock: true } as const;
  const result = await importProducts(checkout.db, file, { ...rules, at: clock.now(), by: 'test' });
  expect(result).toMatchObject({ ok: true });
}

/** Returns a function that reads a page which the page cache does not have. */
export function loader(shop: TestShop): (path: string) => Promise<string> {
  let loads = 0;
  return async (path) => {
    loads += 1;
    return (await new Customer(shop).get(`${path}${path.includes('?') ? '&' : '?'}load=${loads}`)).text;
  };
}
