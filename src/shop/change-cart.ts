import { centavos, ID_BYTES, timeOrderedId } from '@tianguis/payments/rules';
import {
  findCart,
  incrementCartVersion,
  insertCart,
  lockCart,
  putCartLine,
  removeCartLines,
  setDiscountCode,
} from '../tables/carts.js';
import type { Db } from '../tables/database.js';
import { findLeft } from '../tables/stock.js';
import type { CheckoutContext } from './checkout-context.js';
import { type Cart, isChanged, MAX_LINES, MAX_QUANTITY, type PricedCart } from './rules/cart.js';
import type { Product } from './rules/product.js';

type CartRefusal = 'too_many_lines' | 'too_many_pieces';

export type CartChange =
  /** `undefined` if there was no cart and no line to store. */
  | { readonly kind: 'changed'; readonly cartId: string | undefined }
  | { readonly kind: 'refused'; readonly reason: CartRefusal }
  /** The cart may have only this many pieces, those in it included. */
  | { readonly kind: 'too_few_left'; readonly left: number };

type CartServices = Pick<CheckoutContext, 'db' | 'clock' | 'random'>;

/** Adds a quantity of a product to the cart. */
export function addToCart(
  context: CartServices,
  cartId: string | undefined,
  add: { readonly product: Product; readonly quantity: number },
): Promise<CartChange> {
  return changeCartLine(context, cartId, add.product, (present) => present + add.quantity);
}

/** Sets the quantity of a product in the cart; 0 removes the line. */
export function setCartQuantity(
  context: CartServices,
  cartId: string | undefined,
  set: { readonly product: Product; readonly quantity: number },
): Promise<CartChange> {
  return changeCartLine(context, cartId, set.product, () => set.quantity);
}

/** Removes a line of the cart, also if its product is no longer on sale. Without the line it changes nothing. */
export function removeFromCart(
  context: CartServices,
  cartId: string | undefined,
  productId: string,
): Promise<CartChange> {
  return changeCartLine(context, cartId, { id: productId, price: centavos(0) }, () => 0);
}

/**
 * Sets the quantity of a product in the cart to what `quantityFrom` returns for the present one. Creates the cart if there is
 * none. The cart row is locked, so concurrent calls lose no update. A refused call changes nothing, and neither does one for
 * more than is left.
 */
export function changeCartLine(
  context: CartServices,
  cartId: string | undefined,
  product: Pick<Product, 'id' | 'price'>,
  quantityFrom: (present: number) => number,
): Promise<CartChange> {
  const at = context.clock.now();
  return context.db.transaction(async (queries) => {
    const cart = cartId ? await findLockedCart(queries, cartId, at) : undefined;
    const present = cart?.lines.find((line) => line.productId === product.id)?.quantity ?? 0;
    const quantity = quantityFrom(present);
    const reason = refusal(cart, present, quantity);
    if (reason) return { kind: 'refused', reason };
    const left = quantity === 0 ? null : await findLeft(queries, product.id, { cartId: cart?.id, at });
    if (left !== null && quantity > left) return { kind: 'too_few_left', left };
    if (quantity === present) return { kind: 'changed', cartId: cart?.id };
    const id = cart?.id ?? timeOrderedId(at, context.random(ID_BYTES));
    if (!cart) await insertCart(queries, id, at);
    await putCartLine(queries, { cartId: id, productId: product.id, quantity, seenPrice: product.price, at });
    await incrementCartVersion(queries, id, at);
    return { kind: 'changed', cartId: id };
  });
}

async function findLockedCart(queries: Db, id: string, at: number): Promise<Cart | undefined> {
  await lockCart(queries, id);
  return findCart(queries, id, at);
}

function refusal(cart: Cart | undefined, present: number, quantity: number): CartRefusal | undefined {
  if (quantity > MAX_QUANTITY) return 'too_many_pieces';
  const newLine = present === 0 && quantity > 0;
  return newLine && (cart?.lines.length ?? 0) >= MAX_LINES ? 'too_many_lines' : undefined;
}

/** Writes current prices and quantities to a locked cart, and removes products that cannot be bought and a code that ended. */
export async function acceptChanges(queries: Db, cart: Cart, priced: PricedCart, at: number): Promise<Cart> {
  if (!isChanged(priced)) return cart;
  const { id: cartId } = cart;
  for (const { product, quantity } of priced.lines)
    await putCartLine(queries, { cartId, productId: product.id, quantity, seenPrice: product.price, at });
  const soldOut = priced.shortages.filter(({ left }) => left === 0);
  await removeCartLines(queries, cartId, [
    ...priced.withdrawn.map(({ productId }) => productId),
    ...soldOut.map(({ product }) => product.id),
  ]);
  if (priced.endedCode !== undefined) await setDiscountCode(queries, cartId, null);
  await incrementCartVersion(queries, cartId, at);
  return { ...cart, version: cart.version + 1 };
}
