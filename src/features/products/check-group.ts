import type { ProductReading } from '../../catalog/product-cells.js';
import { variantChecker } from '../../catalog/variant-problems.js';
import type { Db } from '../../db/database.js';
import type { Locale } from '../../shop/rules/locale.js';
import { findRelatedProducts } from './repository.js';

/**
 * Returns the reading of a product, or what is wrong with the place of the product in its group. Call it in the
 * transaction of the change, with the catalog locked: another change of the group would make the answer untrue.
 */
export async function checkGroup(queries: Db, reading: ProductReading, locale: Locale): Promise<ProductReading> {
  if (!reading.ok) return reading;
  const related = await findRelatedProducts(queries, reading.product);
  const problems = variantChecker([...related, reading.product], locale)(reading.product);
  return problems.length > 0 ? { ok: false, problems } : reading;
}
