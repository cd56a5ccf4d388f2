import type { Database } from '../../tables/database.js';
import { type Author, findGroup, findStoredProduct, lockCatalog, saveProducts } from '../../tables/product-changes.js';
import { lockProducts } from '../../tables/stock.js';
import { deleteProduct, isInOrder } from './repository.js';

/**
 * Deletes a product with its history, or hides it if an order names it or it has variants. Carts that contain it show it as no longer sold.
 */
export function deleteOrHideProduct(
  db: Database,
  { id, ...author }: Author & { readonly id: string },
): Promise<'deleted' | 'hidden'> {
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    await lockProducts(queries, [id]);
    const stored = await findStoredProduct(queries, id);
    if (!stored) return 'deleted';
    const group = await findGroup(queries, id);
    if (group.length === 1 && !(await isInOrder(queries, id))) {
      await deleteProduct(queries, id);
      return 'deleted';
    }
    const { product, position } = stored;
    if (!product.visible) return 'hidden';
    const hidden = { product: { ...product, visible: false }, position };
    await saveProducts(queries, [{ ...hidden, kind: 'changed', detail: { visible: ['yes', 'no'] } }], author);
    return 'hidden';
  });
}
