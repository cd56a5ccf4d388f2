/** A product of the catalog that tests of the back office change. */

import { testProducts, withoutOwnColumns } from '../../../../test/support/catalog.js';
import type { TestShop } from '../../../../test/support/test-shop.js';
import { cellsOf } from '../../../catalog/product-cells.js';
import { findStoredProduct, writeProducts } from '../../../tables/product-changes.js';

export const [MUG] = testProducts();
export const PATH = `/admin/products/${MUG.id}`;

/** Returns functions that write the product as it was, read it, and return the fields of its form with changes. */
export function editedProduct({ queries }: Pick<TestShop, 'queries'>) {
  const restore = () => writeProducts(queries, [{ product: MUG, position: 1 }], 1);
  async function stored() {
    const found = await findStoredProduct(queries, MUG.id);
    if (!found) throw new Error('no product');
    return { ...found, product: withoutOwnColumns(found.product) };
  }
  async function fields(changes: Readonly<Record<string, string>> = {}) {
    const { product, version } = await stored();
    const cells = cellsOf(product);
    return { ...cells, version: String(version), seen_stock: cells['stock'], ...changes };
  }
  return { restore, stored, fields };
}
