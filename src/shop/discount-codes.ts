import type { Db } from '../tables/database.js';
import type { Order } from '../tables/orders.js';
import type { CartCode } from './rules/cart.js';
import type { ClientKeys } from './rules/stock.js';

/** The cart and the client that need a use of a code, and when, in milliseconds since 1970. */
export interface CodeRequest {
  /** Its own use does not count against a cart. */
  readonly cartId: string;
  /** Absent: what the client may set aside is not limited. */
  readonly client?: ClientKeys | undefined;
  readonly at: number;
}

/**
 * Discount codes, as the use cases need them. A use is set aside when an order is placed, as stock is, and each start of a payment
 * needs one. Money that arrives is accepted also without one. Once a code has ended or its uses are taken, an order keeps its own
 * until that time, and no start and no other order renews it.
 */
export interface DiscountCodes {
  /** Locks a code until the transaction ends. For the lock order see tables/stock.ts. */
  lock(queries: Db, code: string): Promise<void>;
  /**
   * Returns a code as it is now for a cart. Its caller may place an order with it if it holds the lock. One that has ended stays
   * for the lines of the order that has its use.
   */
  find(queries: Db, code: string, request: CodeRequest): Promise<CartCode>;
  /** Sets a use aside for a new order until a time. It takes over that of the cart's earlier orders. The caller holds the lock. */
  setAside(
    queries: Db,
    order: Order,
    use: { readonly client?: ClientKeys | undefined; readonly until: number },
  ): Promise<void>;
  /** Returns whether the order has its use, or this client could get one. For pages. */
  isAvailable(queries: Db, order: Order, request: Omit<CodeRequest, 'cartId'>): Promise<boolean>;
  /**
   * Returns whether a payment of the order may start: it has its use, or one is free. A free one is set aside until `until`.
   * Locks the code unless the order has its use.
   */
  renew(
    queries: Db,
    order: Order,
    use: Omit<CodeRequest, 'cartId'> & { readonly until?: number | undefined },
  ): Promise<boolean>;
  /** Sets the active use of an order aside for as long as it can be paid, because the merchant corrected its lines. */
  keep(queries: Db, order: Pick<Order, 'id' | 'payableUntil'>, at: number): Promise<void>;
  /** Extends the active use of an order whose payment page is open for longer. One that has ended stays so. */
  extend(
    queries: Db,
    order: Pick<Order, 'id' | 'cartId' | 'discountCode' | 'payableUntil'>,
    time: { readonly at: number; readonly byMs: number },
  ): Promise<void>;
}
