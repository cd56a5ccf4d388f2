import { randomBytes } from 'node:crypto';
import { type Cart, MAX_LINES, MAX_QUANTITY } from '../core/cart.js';
import type { Product } from '../core/catalogue.js';
import { ID_BYTES, timeOrderedId } from '../core/ids.js';
import { bumpCart, insertCart, lockCart, putCartLine } from '../store/carts.js';
import type { CheckoutServices } from './services.js';

export type CartRefusal = 'too_many_lines' | 'too_many_pieces';

export type CartChange =
  /** Without an id, there was no cart and nothing to keep. */
  | { readonly kind: 'changed'; readonly cartId: string | undefined }
  | { readonly kind: 'refused'; readonly reason: CartRefusal };

type CartServices = Pick<CheckoutServices, 'db' | 'clock'>;

/**
 * Adds pieces of a product to a cart, making the cart when there is none. Parallel adds take turns: none is lost. A
 * refused add changes nothing.
 */
export function addToCart(
  services: CartServices,
  cartId: string | undefined,
  add: { readonly product: Product; readonly quantity: number },
): Promise<CartChange> {
  return changeLine(services, cartId, {
    product: add.product,
    quantityFrom: (present) => present + add.quantity,
  });
}

/** Sets the pieces of a product in a cart; 0 removes it. */
export function setCartQuantity(
  services: CartServices,
  cartId: string | undefined,
  set: { readonly product: Product; readonly quantity: number },
): Promise<CartChange> {
  return changeLine(services, cartId, { product: set.product, quantityFrom: () => set.quantity });
}

interface LineRule {
  readonly product: Product;
  quantityFrom(present: number): number;
}

function changeLine(
  services: CartServices,
  cartId: string | undefined,
  { product, quantityFrom }: LineRule,
): Promise<CartChange> {
  const at = services.clock.now();
  return services.db.transaction(async (queries) => {
    const cart = cartId ? await lockCart(queries, cartId) : undefined;
    const present = piecesOf(cart, product);
    const quantity = quantityFrom(present);
    const reason = refusal(cart, present, quantity);
    if (reason) return { kind: 'refused', reason };
    if (quantity === present) return { kind: 'changed', cartId: cart?.id };
    const id = cart?.id ?? timeOrderedId(at, randomBytes(ID_BYTES));
    if (!cart) await insertCart(queries, id, at);
    await putCartLine(queries, { cartId: id, productId: product.id, quantity, seenPrice: product.price, at });
    await bumpCart(queries, id, at);
    return { kind: 'changed', cartId: id };
  });
}

function piecesOf(cart: Cart | undefined, product: Product): number {
  return cart?.lines.find((line) => line.productId === product.id)?.quantity ?? 0;
}

function refusal(cart: Cart | undefined, present: number, quantity: number): CartRefusal | undefined {
  if (quantity > MAX_QUANTITY) return 'too_many_pieces';
  const newLine = present === 0 && quantity > 0;
  return newLine && (cart?.lines.length ?? 0) >= MAX_LINES ? 'too_many_lines' : undefined;
}
