import type { Db } from '../../db/database.js';
import { offeredProductOf, offeredProducts } from '../../db/products.js';
import { groupIdOf, type OfferedProduct } from '../../shop/rules/product.js';

/** A visible product, and the paths of its pictures after the first. */
export interface FeedProduct {
  readonly product: OfferedProduct;
  readonly furtherPictures: readonly string[];
}

const BATCH_SIZE = 500;

/** Reads the visible products by ascending id, in batches. Other requests run between two batches. */
export async function* readVisibleProducts(queries: Db, at: number): AsyncGenerator<readonly FeedProduct[]> {
  let lastId = '';
  for (;;) {
    const rows = await offeredProducts(queries, at)
      .where('visible', '=', 1)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    const products = rows.map(offeredProductOf);
    lastId = rows.at(-1)?.id ?? lastId;
    if (products.length > 0) yield await withPictures(queries, products);
    if (products.length < BATCH_SIZE) return;
  }
}

/** Adds the further pictures of each product. A variant without any has those of its main product, as on its page. */
async function withPictures(queries: Db, products: readonly OfferedProduct[]): Promise<readonly FeedProduct[]> {
  const ids = new Set(products.flatMap((product) => [product.id, groupIdOf(product)]));
  const rows = await queries
    .selectFrom('productPictures')
    .innerJoin('products', 'products.id', 'productPictures.productId')
    .select(['productId', 'productPictures.image'])
    .where('productId', 'in', [...ids])
    .where('visible', '=', 1)
    .orderBy('productPictures.position')
    .execute();
  const picturesOf = new Map<string, string[]>();
  for (const { productId, image } of rows) picturesOf.set(productId, [...(picturesOf.get(productId) ?? []), image]);
  return products.map((product) => {
    const further = picturesOf.get(product.id) ?? picturesOf.get(groupIdOf(product)) ?? [];
    return { product, furtherPictures: further.filter((image) => image !== product.image) };
  });
}
