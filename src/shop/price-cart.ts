import type { Db } from '../tables/database.js';
import type { CheckoutContext } from './checkout-context.js';
import { type Cart, type PricedCart, priceCart } from './rules/cart.js';
import type { ClientKeys } from './rules/stock.js';

interface PricingRequest {
  readonly client?: ClientKeys | undefined;
  readonly at: number;
}

/** Prices a cart with its discount code as it is now for this client. */
export async function priceWithCode(
  queries: Db,
  { discountCodes }: Pick<CheckoutContext, 'discountCodes'>,
  cart: Cart,
  request: PricingRequest,
): Promise<PricedCart> {
  const { id: cartId, discountCode } = cart;
  if (discountCode === null) return priceCart(cart);
  // Without the feature of the codes, the code of a cart has ended.
  const code = await discountCodes?.find(queries, discountCode, { cartId, ...request });
  return priceCart(cart, code ?? { code: discountCode });
}
