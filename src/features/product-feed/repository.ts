import { groupIdOf, type OfferedProduct, type VariantAttribute } from '../../shop/rules/product.js';
import type { Db } from '../../tables/database.js';
import { offeredProductOf, offeredProducts } from '../../tables/products.js';

/** A visible product, the paths of its pictures after the first, and in which attribute its group differs. */
export interface FeedProduct {
  readonly product: OfferedProduct;
  readonly furtherPictures: readonly string[];
  readonly attribute: VariantAttribute | null;
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
    if (products.length > 0) yield await withGroups(queries, products);
    if (products.length < BATCH_SIZE) return;
  }
}

/** Adds what a product shares with its group. A variant without further pictures has those of its main product, as on its page. */
async function withGroups(queries: Db, products: readonly OfferedProduct[]): Promise<readonly FeedProduct[]> {
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
  const mainIds = products.flatMap(({ variantOf }) => variantOf ?? []);
  const attributeOf = await readAttributes(queries, mainIds);
  return products.map((product) => {
    const further = picturesOf.get(product.id) ?? picturesOf.get(groupIdOf(product)) ?? [];
    const attribute = product.variantAttribute ?? attributeOf.get(groupIdOf(product)) ?? null;
    return { product, furtherPictures: further.filter((image) => image !== product.image), attribute };
  });
}

async function readAttributes(queries: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, null>();
  const rows = await queries.selectFrom('products').select(['id', 'variantAttribute']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, variantAttribute }) => [id, variantAttribute]));
}
