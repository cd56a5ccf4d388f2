/** What each view is given: ready strings and flags only; a view formats nothing and decides nothing. */
import type { Locale } from '../core/catalogue.js';

/** Common to every page. */
export interface Layout {
  readonly lang: Locale;
  /** All that the shop speaks, for the switch in the footer (a form that posts `lang` and `back` to `/language`). */
  readonly languages: readonly { readonly code: Locale; readonly label: string; readonly current: boolean }[];
  readonly title: string;
  readonly cartCount: number;
  /** The local path of this page, for the language switch to come back to. */
  readonly path: string;
  /** Seconds after which the page asks again by itself, without JavaScript too. */
  readonly refreshSeconds?: number;
  /** Paths below `public/` of the scripts this page loads (deferred, never inline). */
  readonly scripts: readonly string[];
  /** Shown as a thin bar when the payment service is the simulator. */
  readonly simulatorUrl?: string;
}

export interface ProductCard {
  readonly name: string;
  readonly price: string;
  readonly href: string;
  readonly image: string;
  readonly imageAlt: string;
}

/** views/catalogue.ejs: the form asks by GET for `q`. */
export interface CataloguePage {
  /** What was searched for, as it was typed. */
  readonly typed: string;
  readonly categories: readonly {
    readonly label: string;
    readonly href: string;
    readonly current: boolean;
  }[];
  readonly products: readonly ProductCard[];
  /** What a search or a shelf shows, in words; absent when the whole shop is shown. */
  readonly narrowed?: { readonly heading: string; readonly found: string };
}

/** views/product.ejs: the form posts `product_id` and `quantity` to `/cart/items`. */
export interface ProductPage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: string;
  readonly image: string;
  readonly imageAlt: string;
  readonly quantity: string;
  readonly quantityError?: string;
}

export interface CartLineView {
  readonly productId: string;
  readonly name: string;
  readonly href: string;
  readonly image: string;
  readonly imageAlt: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  /** As typed when it was refused. */
  readonly quantity: string;
  readonly quantityError?: string;
}

/** views/cart.ejs: each line posts `quantity` to `/cart/items/:product_id` (0 removes). */
export interface CartPage {
  readonly lines: readonly CartLineView[];
  /** What a screen reader is told once the cart has been changed in place. */
  readonly said: string;
  readonly total: string;
  /** Sentences above the cart: a changed price, a product no longer on sale, too many lines. */
  readonly notices: readonly string[];
}

export interface SummaryLine {
  readonly name: string;
  readonly quantity: number;
  readonly lineTotal: string;
}

export interface FieldView {
  readonly value: string;
  readonly error?: string;
}

export type ContactField = 'first_name' | 'last_name' | 'email';

/** views/checkout.ejs and views/checkout-card.ejs: the contact form beside the order summary. */
export interface CheckoutPage {
  readonly lines: readonly SummaryLine[];
  readonly total: string;
  /** Posted back as `seen_total`, so that nobody is charged another price than the one shown. */
  readonly seenTotal: string;
  readonly contact: Readonly<Record<ContactField, FieldView>>;
  /** Whether the shop offers the other way to pay too. */
  readonly otherWay: boolean;
  /** Above the form: a changed price, a service that does not answer. */
  readonly notices: readonly string[];
  /** Each links to its field: `#first_name` … */
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

/** views/checkout-card.ejs: the card inputs carry no `name`, so that card data can never reach this server. */
export interface CardCheckoutPage extends CheckoutPage {
  readonly tokenizerUrl: string;
  readonly accessTokenPath: string;
  readonly cardError?: string;
}

export type OrderTone = 'good' | 'waiting' | 'bad' | 'held';

/** views/order.ejs: the order as it truly stands. */
export interface OrderPage {
  readonly number: string;
  readonly state: string;
  readonly tone: OrderTone;
  readonly heading: string;
  /** What happened · is my money safe · may I pay again. */
  readonly paragraphs: readonly string[];
  readonly total: string;
  readonly statusPath: string;
  /** Ways on: back to the hosted page, to the cart, to the shop. The first is the main one. */
  readonly actions: readonly { readonly label: string; readonly href: string }[];
  /** Only for the shopper's own session; the bare link shows no personal data. */
  readonly detail?: {
    readonly lines: readonly SummaryLine[];
    readonly name: string;
    readonly email: string;
    readonly placedAt: string;
    readonly paidAt?: string;
  };
}

/** views/find-order.ejs: posts `number` and `email` to `/orders`. */
export interface FindOrderPage {
  readonly number: FieldView;
  readonly email: FieldView;
  readonly errors: CheckoutPage['errors'];
  /** It has been asked for, whatever came of it. */
  readonly sent: boolean;
}

/** views/problem.ejs: what went wrong, what it means for the shopper, and a way on. */
export interface ProblemPage {
  readonly heading: string;
  readonly text: string;
  /** Names the log line of an unexpected fault. */
  readonly errorId?: string;
  readonly actions: readonly { readonly label: string; readonly href: string }[];
}
