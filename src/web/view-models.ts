/** Models of the views. They hold formatted strings and flags, so that views need no logic. */
import type { AdminAccess } from '../admin/permissions.js';
import type { Locale } from '../domain/locale.js';

/** Layout model of every page. */
export interface Layout {
  readonly lang: Locale;
  /** Offered locales for the language form in the footer, which posts `lang` and `back` to `/language`. */
  readonly locales: readonly { readonly code: Locale; readonly label: string; readonly current: boolean }[];
  readonly title: string;
  readonly cartCount: number;
  /** Local path of this page, to which the language form returns. */
  readonly path: string;
  /** Refresh interval in seconds. Also works without JavaScript. */
  readonly refreshSeconds?: number;
  /** Paths of the deferred scripts, below `public/`. */
  readonly scripts: readonly string[];
  /** Shown as a bar if the simulator is the gateway. */
  readonly simulatorUrl?: string;
  /** The signed-in user of the back office. */
  readonly admin?: AdminAccess;
}

export interface ProductCard {
  readonly name: string;
  readonly price: string;
  readonly href: string;
  readonly image: string;
  readonly imageAlt: string;
  readonly soldOut: boolean;
}

/** views/catalog.ejs: the form sends `q` by GET. */
export interface CatalogPage {
  /** Search text as the customer typed it. */
  readonly typed: string;
  readonly categories: readonly {
    readonly label: string;
    readonly href: string;
    readonly current: boolean;
  }[];
  readonly products: readonly ProductCard[];
  /** Heading and result count of a search or category. Absent if all products are shown. */
  readonly narrowed?: { readonly heading: string; readonly found: string };
  /** The shop has no visible product. */
  readonly empty: boolean;
  /** Absent if all products are on one page. */
  readonly pages?: PageLinks;
}

/** Links to the neighboring pages of a list. */
export interface PageLinks {
  readonly label: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
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
  /** A sold out product has no form. */
  readonly soldOut: boolean;
  /** How many are left, if they are few. */
  readonly fewLeft?: string;
}

export interface CartLineView {
  readonly productId: string;
  readonly name: string;
  readonly href: string;
  readonly image: string;
  readonly imageAlt: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  /** A refused quantity is shown as the customer typed it. */
  readonly quantity: string;
  readonly quantityError?: string;
}

/** views/cart.ejs: each line posts `quantity` to `/cart/items/:product_id` (0 removes). */
export interface CartPage {
  readonly lines: readonly CartLineView[];
  /** Text for screen readers after the cart was updated without a page load. */
  readonly announcement: string;
  readonly total: string;
  /** IVA that the total includes. Absent if it is zero. */
  readonly tax?: string;
  /** Sentences above the cart, such as a changed price, a withdrawn product, too few left or too many lines. */
  readonly notices: readonly string[];
}

export interface SummaryLine {
  readonly name: string;
  readonly quantity: number;
  readonly lineTotal: string;
  /** Rate and IVA, for the back office. */
  readonly tax?: string;
}

export interface FieldView {
  readonly value: string;
  readonly error?: string;
}

/** An option of a list. */
export interface OptionView {
  readonly value: string;
  readonly label: string;
  readonly selected: boolean;
}

/** An error at the top of a form. It links to its field, for example `#first_name`. */
export interface FieldErrorView {
  readonly field: string;
  readonly message: string;
}

/** A field of the contact form or the invoice form. */
export interface ContactFieldView extends FieldView {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly inputMode?: string;
  /** Absent for a list. */
  readonly maxLength?: number;
  readonly isRequired: boolean;
  /** Whether the field has a line of its own on a wide screen. */
  readonly isWide: boolean;
  /** Not empty: the field is a list. */
  readonly options: readonly Omit<OptionView, 'selected'>[];
  /** Text of a list without a choice. */
  readonly choose?: string;
  /** Language of the options, if it differs from the page's. */
  readonly optionsLang?: string;
  /** Shown by scripts for a missing or invalid value. */
  readonly scriptError: string;
}

/** A shipping option with the total of the order. */
export interface ShippingOptionView {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly price: string;
  readonly total: string;
  /** IVA that the total includes. Empty if it is zero. */
  readonly tax: string;
  readonly seenTotal: string;
  readonly isChosen: boolean;
  readonly needsAddress: boolean;
}

/** views/checkout.ejs and views/checkout-card.ejs: the contact form beside the order summary. */
export interface CheckoutPage {
  readonly lines: readonly SummaryLine[];
  /** Total without shipping. */
  readonly goods: string;
  readonly total: string;
  /** IVA that the total includes. Absent if it is zero. */
  readonly tax?: string;
  /** Posted as `seen_total`, so that the customer never pays another total than the one shown. */
  readonly seenTotal: string;
  readonly contact: readonly ContactFieldView[];
  /** Empty if nothing is shipped. */
  readonly shipping: readonly ShippingOptionView[];
  readonly shippingError?: string;
  /** Address fields. Empty if no shipping option needs an address. */
  readonly address: readonly ContactFieldView[];
  /** Whether the shop also offers the other payment flow. */
  readonly hasOtherFlow: boolean;
  /** The customer abandoned a 3D Secure page, saw the warning and pays again. Posted as `pay_again`. */
  readonly payAgain: boolean;
  /** Sentences above the form, such as a changed price or an unavailable gateway. */
  readonly notices: readonly string[];
  readonly errors: readonly FieldErrorView[];
}

export type OrderTone = 'good' | 'waiting' | 'bad' | 'review';

/** views/order.ejs: state of the order after the last lookup. */
export interface OrderPage {
  readonly number: string;
  readonly state: string;
  readonly tone: OrderTone;
  readonly heading: string;
  /** What happened, whether money was charged, and whether the customer may pay again. */
  readonly paragraphs: readonly string[];
  readonly total: string;
  readonly statusPath: string;
  /** Links to the payment page, the cart or the shop. The first is the primary action. */
  readonly actions: readonly { readonly label: string; readonly href: string }[];
  /** Only for a paid order. */
  readonly fulfillment?: {
    readonly state: string;
    readonly text: string;
    /** Only in the session of the customer. */
    readonly shipment?: {
      readonly carrier: string;
      readonly trackingNumber: string;
      readonly href?: string;
    };
  };
  /** Absent if the invoice of the order was not requested and cannot be requested. */
  readonly invoice?: InvoiceSection;
  /** Only in the session of the customer. The order link alone shows no personal data. */
  readonly detail?: {
    readonly lines: readonly SummaryLine[];
    /** IVA that the total includes. Absent if it is zero. */
    readonly tax?: string;
    readonly name: string;
    readonly email: string;
    /** Name of the shipping option. Absent if nothing is shipped. */
    readonly shipping?: string;
    /** Delivery address as lines. Empty if the option needs none. */
    readonly address: readonly string[];
    readonly placedAt: string;
    readonly paidAt?: string;
  };
}

/** views/partials/invoice.ejs */
export interface InvoiceSection {
  readonly text: string;
  /** RFC and e-mail address. Only in the session of the customer. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Link to the form. Absent after the deadline. */
  readonly action?: { readonly label: string; readonly href: string };
}

/** views/invoice.ejs: posts the invoice fields to the page's own path. */
export interface InvoicePage {
  readonly heading: string;
  /** Order number and total. */
  readonly order: string;
  readonly paragraphs: readonly string[];
  /** Empty if the order is not open for invoice requests. */
  readonly fields: readonly ContactFieldView[];
  readonly errors: readonly FieldErrorView[];
  readonly action: string;
  readonly orderHref: string;
}

/** views/find-order.ejs: posts `number` and `email` to `/orders`. */
export interface FindOrderPage {
  readonly number: FieldView;
  readonly email: FieldView;
  readonly errors: readonly FieldErrorView[];
  /** Whether the form was accepted. The same whether the order exists or not. */
  readonly sent: boolean;
}

/** views/problem.ejs: error page with its meaning for the customer and the next action. */
export interface ProblemPage {
  readonly heading: string;
  readonly text: string;
  /** Id of the log line. Present for status 500 and above. */
  readonly errorId?: string;
  readonly actions: readonly { readonly label: string; readonly href: string }[];
}
