/** Input and results of placing an order. */
import type { Attempt } from '../db/attempts.js';
import type { Order } from '../db/orders.js';
import type { Cart, OrderLine, PricedCart } from '../domain/cart.js';
import type { ChargeId, Choice } from '../domain/charges.js';
import type { Contact } from '../domain/contact.js';
import type { Locale } from '../domain/locale.js';
import type { Centavos } from '../domain/money.js';
import type { PaymentFlow } from '../domain/order.js';
import type { Settled } from './settle-payment.js';

/** A submitted checkout form and its customer. */
export interface CheckoutRequest {
  readonly cartId: string | undefined;
  readonly contact: Contact;
  readonly choice: Choice;
  /** Returns the name of a chosen charge in the customer's locale. */
  nameOfCharge(id: ChargeId): string;
  readonly locale: Locale;
  /** Hash of the client's rate limit address. Absent: the number of its reservations is not limited. */
  readonly addressKey?: string;
  /** Ownership marks of orders that the customer's session placed. */
  readonly ownershipMarks: readonly string[];
  /** The total on the submitted page, in centavos; absent if the page sent none. */
  readonly seenTotal?: string;
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain?: boolean;
}

/** A request, and the results of earlier steps of `acquireAttempt`. */
export interface Submitted {
  readonly request: CheckoutRequest;
  readonly flow: PaymentFlow;
  /** The order that was settled for this request, if any. */
  readonly settled: Settled | undefined;
  /** The order that this request was about to pay, if any. */
  readonly paying: Order | undefined;
}

/** A priced cart that is locked with its products. */
export interface CartToPlace extends Submitted {
  readonly cart: Cart;
  readonly priced: PricedCart;
  /** The latest order of the cart, locked. A new one replaces it. */
  readonly earlier: Order | undefined;
  /** The attempts of the latest order. */
  readonly attempts: readonly Attempt[];
  readonly at: number;
}

/** An attempt in state `creating`. Only the caller that leased it may call the gateway for it. */
export interface LeasedAttempt {
  readonly kind: 'leased';
  readonly order: Order;
  readonly attempt: Attempt;
  /** The order's lines, if the caller has just written them. */
  readonly lines?: readonly OrderLine[];
}

/** Where the customer is sent: to the gateway or bank, the order page, the cart or the form. */
export type CheckoutResult =
  | { readonly kind: 'redirect'; readonly order: Order; readonly url: string }
  | { readonly kind: 'order'; readonly order: Order }
  /**
   * Products, quantities, prices or shipping options differ from the page that the customer saw. The customer must confirm
   * the cart again. `total` is absent if the customer must choose another option, or nothing is left.
   */
  | { readonly kind: 'cart_changed'; readonly cart: PricedCart; readonly total?: Centavos }
  | { readonly kind: 'cart_empty' }
  /** An earlier attempt may still be charged. The customer must confirm the warning. */
  | { readonly kind: 'confirm_pay_again' };

export type Placement =
  | LeasedAttempt
  | CheckoutResult
  /** Another caller starts an attempt of the order. */
  | { readonly kind: 'busy'; readonly order: Order }
  /** The caller must settle the order and place the cart again. `isCartChanged`: a new order will replace this one. */
  | { readonly kind: 'settle_first'; readonly order: Order; readonly isCartChanged: boolean };
