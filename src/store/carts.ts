import type { Cart, CartLine } from '../core/cart.js';
import type { Centavos } from '../core/money.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import { type Given, statement } from './statement.js';

const selectWithLines = statement((queries, { id }: Given<{ id: string }>) =>
  queries
    .selectFrom('carts')
    .leftJoin('cartLines', 'cartLines.cartId', 'carts.id')
    .select(['carts.version', 'cartLines.productId', 'cartLines.quantity', 'cartLines.seenPrice'])
    .where('carts.id', '=', id)
    .orderBy('cartLines.addedAt')
    .orderBy('cartLines.productId'),
);

/** The cart with its lines in the order they were added, or `undefined`. */
export async function findCart(queries: Queries, id: string): Promise<Cart | undefined> {
  const rows = await selectWithLines.all(queries, { id });
  const first = rows[0];
  if (!first) return undefined;
  const lines = rows.flatMap(({ productId, quantity, seenPrice }): CartLine[] =>
    productId === null || quantity === null || seenPrice === null ? [] : [{ productId, quantity, seenPrice }],
  );
  return { id, version: first.version, lines };
}

const insert = statement((queries, { id, at }: Given<{ id: string; at: number }>) =>
  queries.insertInto('carts').values({ id, version: 1, createdAt: at, updatedAt: at }),
);

/** An empty cart with this id. */
export async function insertCart(queries: Queries, id: string, at: number): Promise<void> {
  await insert.run(queries, { id, at });
}

const lock = statement((queries, { id }: Given<{ id: string }>) =>
  queries.selectFrom('carts').select('id').where('id', '=', id).forUpdate(),
);

/** The cart, with every other change of it kept waiting until the transaction ends. */
export async function lockCart(queries: Queries, id: string): Promise<Cart | undefined> {
  if (isPostgres(queries)) await lock.all(queries, { id });
  return findCart(queries, id);
}

export interface LineChange {
  readonly cartId: string;
  readonly productId: string;
  /** 0 removes the line. */
  readonly quantity: number;
  readonly seenPrice: Centavos;
  readonly at: number;
}

const deleteLine = statement((queries, { cartId, productId }: Given<{ cartId: string; productId: string }>) =>
  queries.deleteFrom('cartLines').where('cartId', '=', cartId).where('productId', '=', productId),
);

const upsertLine = statement((queries, { cartId, productId, quantity, seenPrice, at }: Given<LineChange>) =>
  queries
    .insertInto('cartLines')
    .values({ cartId, productId, quantity, seenPrice, addedAt: at })
    .onConflict((conflict) => conflict.columns(['cartId', 'productId']).doUpdateSet({ quantity, seenPrice })),
);

/** Sets one line of a locked cart; the caller bumps the version once it is done. */
export async function putCartLine(queries: Queries, change: LineChange): Promise<void> {
  const { cartId, productId } = change;
  if (change.quantity === 0) await deleteLine.run(queries, { cartId, productId });
  else await upsertLine.run(queries, change);
}

const bump = statement((queries, { id, at }: Given<{ id: string; at: number }>) =>
  queries
    .updateTable('carts')
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: at }))
    .where('id', '=', id),
);

/** Marks a locked cart as changed: what was ordered from its earlier versions is no longer this cart. */
export async function bumpCart(queries: Queries, id: string, at: number): Promise<void> {
  await bump.run(queries, { id, at });
}

/**
 * Takes out of a locked cart what an order paid for and leaves the rest. A cart that no longer holds the order's
 * products is left alone.
 */
export async function emptyCartOf(
  queries: Queries,
  order: { readonly id: string; readonly cartId: string },
  at: number,
): Promise<void> {
  const paid = await queries
    .selectFrom('orderLines')
    .innerJoin('cartLines', 'cartLines.productId', 'orderLines.productId')
    .select([
      'cartLines.productId',
      'cartLines.seenPrice',
      'cartLines.quantity as inCart',
      'orderLines.quantity',
    ])
    .where('orderLines.orderId', '=', order.id)
    .where('cartLines.cartId', '=', order.cartId)
    .execute();
  for (const line of paid) {
    const quantity = Math.max(0, line.inCart - line.quantity);
    const { productId, seenPrice } = line;
    await putCartLine(queries, { cartId: order.cartId, productId, quantity, seenPrice, at });
  }
  await bumpCart(queries, order.cartId, at);
}

const sumPieces = statement((queries, { id }: Given<{ id: string }>) =>
  queries
    .selectFrom('cartLines')
    .select((eb) => eb.fn.sum<number | string | null>('quantity').as('pieces'))
    .where('cartId', '=', id),
);

/** How many pieces a cart holds in all. */
export async function countCartPieces(queries: Queries, id: string): Promise<number> {
  const row = await sumPieces.first(queries, { id });
  return Number(row?.pieces ?? 0);
}
