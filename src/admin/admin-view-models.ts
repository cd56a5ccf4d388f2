/** Models of the back office views. They hold formatted strings and flags only. */
import type {
  ContactFieldView,
  FieldErrorView,
  FieldView,
  OptionView,
  OrderTone,
  PageLinks,
  SummaryLine,
} from '../web/view-models.js';

/** views/admin-sign-in.ejs: posts `step` with `name` and `password`, or with `code`. */
export interface AdminSignInPage {
  readonly step: 'password' | 'code';
  /** Typed name. */
  readonly name: string;
  readonly error?: string;
}

/** views/admin-users.ejs */
export interface AdminUsersPage {
  readonly users: readonly Readonly<Record<'name' | 'role' | 'secondFactor' | 'state' | 'since', string>>[];
  /** Newest first. */
  readonly signIns: readonly Readonly<Record<'at' | 'name' | 'result', string>>[];
}

export interface AdminOrderRow {
  readonly number: string;
  readonly href: string;
  readonly total: string;
  /** Name and e-mail address. Empty if retention erased them. */
  readonly customer: string;
  readonly email: string;
  readonly state: string;
  readonly tone: OrderTone;
  /** Review reason. Empty if the order needs no review. */
  readonly reason: string;
  readonly placed: string;
  readonly since: string;
}

interface Link {
  readonly label: string;
  readonly href: string;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

/** views/admin-overview.ejs */
export interface AdminOverviewPage {
  /** Orders that need review. */
  readonly rows: readonly AdminOrderRow[];
  /** Link to the full list. Present if it is longer than `rows`. */
  readonly moreHref?: string;
  readonly health: readonly {
    readonly title: string;
    readonly figure: string;
    readonly tone: OrderTone;
    readonly lines: readonly string[];
    readonly links: readonly Link[];
  }[];
  readonly sales: AdminSales;
}

export interface AdminSales {
  readonly facts: readonly Fact[];
  /** Bar chart with one bar per day, drawn in a box of `width` × 100. */
  readonly width: string;
  readonly days: readonly {
    readonly day: string;
    readonly count: string;
    readonly total: string;
    readonly bar: Readonly<Record<'x' | 'y' | 'height', string>>;
  }[];
  readonly axis: { readonly max: string; readonly first: string; readonly last: string };
  /** Bar chart with one bar per order state. `width` is a percentage. */
  readonly states: readonly {
    readonly state: string;
    readonly tone: OrderTone;
    readonly count: string;
    readonly share: string;
    readonly width: string;
  }[];
  readonly counted: string;
}

/** views/admin-orders.ejs: the form sends `q`, `state`, `review`, `ship`, `from` and `to` by GET. */
export interface AdminOrdersPage {
  readonly rows: readonly AdminOrderRow[];
  /** A filter is invalid, so no search was made. */
  readonly refused: boolean;
  readonly filtered: boolean;
  readonly search: FieldView;
  /** Filter by order state. */
  readonly state: FieldView;
  readonly states: readonly OptionView[];
  readonly review: boolean;
  readonly ship: boolean;
  readonly from: FieldView;
  readonly to: FieldView;
  readonly exportHref: string;
  readonly newerHref?: string;
  readonly olderHref?: string;
}

/** views/partials/admin-fulfillment.ejs */
export interface AdminFulfillment {
  readonly state: string;
  readonly tone: OrderTone;
  /** The order must not be fulfilled now, so there are no forms. */
  readonly blocked: boolean;
  readonly facts: readonly Fact[];
  readonly trackingHref?: string;
  readonly version: string;
  /** Changes without further fields. */
  readonly steps: readonly { readonly to: string; readonly label: string }[];
  /** Form for the change to `shipped`, or for its correction. */
  readonly shipment?: {
    readonly label: string;
    /** Heading of the folded form. Absent for the first shipment. */
    readonly correction?: string;
    readonly carrier: FieldView;
    readonly carriers: readonly OptionView[];
    readonly trackingNumber: FieldView;
    readonly trackingHint: string;
  };
  readonly slipHref: string;
}

/** views/admin-packing-slip.ejs */
export interface PackingSlip {
  readonly href: string;
  readonly placed: string;
  readonly delivery: string;
  readonly address: readonly string[];
  readonly lines: readonly { readonly productId: string; readonly name: string; readonly quantity: number }[];
}

export interface AdminAttempt {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** views/partials/admin-review.ejs */
export interface AdminReview {
  /** What happened, in sentences. */
  readonly what: string;
  /** The attempts whose payment may exist. */
  readonly attempts: readonly AdminAttempt[];
  /** The other paid order for the same products. */
  readonly paidElsewhere?: Link;
  /** The open decisions, with their effects on the customer and on the money. */
  readonly choices: readonly {
    readonly value: string;
    readonly label: string;
    readonly customer: string;
    readonly money: string;
    readonly checked: boolean;
  }[];
  /** Absent if every payment has its gateway id. */
  readonly gatewayId?: FieldView;
  readonly note: FieldView;
  readonly maxNoteLength: number;
}

/**
 * views/admin-order.ejs: posts to `…/check`, `…/jobs`, `…/decision`, `…/fulfillment`, `…/address`, `…/receipt`, `…/cancel`
 * and `…/erase`. Fields of the last three: `version`; of `…/erase` also `confirmation`.
 * Fields of `…/jobs`: `job`. Fields of `…/decision`: `decision`, `decision_note`, `gateway_id` and `version`.
 * Fields of `…/fulfillment`: `to` and `version`; for `shipped` also `carrier` and `tracking_number`.
 * Fields of `…/address`: the address fields and `version`.
 */
export interface AdminOrderPage extends AdminOrderRow {
  /** Result of the last action of the admin user. */
  readonly result?: string;
  /** Reason for the state of the order, as a sentence. */
  readonly stateReason: string;
  readonly facts: readonly Fact[];
  /** Delivery address as lines. Empty if the order has none. */
  readonly address: readonly string[];
  /** Fields of the address form. Empty if the address cannot be corrected. */
  readonly correction: readonly ContactFieldView[];
  readonly errors: readonly FieldErrorView[];
  readonly lines: readonly SummaryLine[];
  /** IVA that the total includes. Absent if it is zero. */
  readonly tax?: string;
  /** Without the attempts of the review section. */
  readonly attempts: readonly AdminAttempt[];
  readonly jobs: readonly {
    readonly job: string;
    readonly name: string;
    readonly state: string;
    readonly tone: OrderTone;
    readonly lines: readonly string[];
    readonly mayRetry: boolean;
  }[];
  readonly events: readonly {
    readonly at: string;
    /** Time since the previous event. Empty for the first. */
    readonly gap: string;
    readonly kind: string;
    readonly texts: readonly string[];
    readonly raw: string;
  }[];
  /** Version for optimistic locking. A decision on another version is refused. */
  readonly version: string;
  /** The actions that the state of the order allows. */
  readonly actions: {
    readonly resend: boolean;
    readonly cancel: boolean;
    readonly erase: boolean;
    /** What was typed to confirm the erasure, if it was refused. */
    readonly confirmation?: string;
  };
  /** Absent if the order needs no review. */
  readonly review?: AdminReview;
  /** Absent if the order was never paid. */
  readonly fulfillment?: AdminFulfillment;
  /** Absent if the customer requested no invoice. */
  readonly invoice?: {
    /** `name`: what a code of the tax authority means. */
    readonly facts: readonly (Fact & { readonly name?: string })[];
    readonly moments: readonly Fact[];
  };
  /** Absent if no payment may be refunded and none was. */
  readonly refunds?: AdminRefunds;
}

/** views/admin-products.ejs: the form sends `q` by GET. */
export interface AdminProductsPage {
  readonly typed: string;
  /** Number of products, as text. */
  readonly found: string;
  readonly rows: readonly {
    readonly id: string;
    readonly href: string;
    readonly name: string;
    readonly price: string;
    readonly stock: string;
    readonly state: string;
    readonly tone: OrderTone;
  }[];
  readonly pages?: PageLinks;
}

/**
 * views/admin-product.ejs: posts `price`, `stock`, `visible`, `version`, `seen_stock` and the texts to the product's path,
 * or only `stock`, `version` and `seen_stock` to its path with `/stock`.
 */
export interface AdminProductPage {
  readonly id: string;
  readonly name: string;
  /** Page of the product. Absent if the product is hidden. */
  readonly shopHref?: string;
  /** Result of the last action of the admin user. */
  readonly result?: string;
  readonly errors: readonly FieldErrorView[];
  readonly price: FieldView;
  /** Empty: unlimited. */
  readonly stock: FieldView;
  readonly visible: boolean;
  /** The texts of each locale. */
  readonly texts: readonly {
    readonly lang: string;
    readonly label: string;
    readonly fields: readonly (FieldView & {
      readonly name: string;
      readonly label: string;
      readonly limit: string;
      readonly multiline: boolean;
    })[];
  }[];
  /** Version for optimistic locking. */
  readonly version: string;
  /** The stock as shown. A stock that differs is a change. */
  readonly seenStock: string;
  readonly events: readonly {
    readonly at: string;
    readonly by: string;
    readonly kind: string;
    readonly changes: readonly { readonly column: string; readonly before: string; readonly after: string }[];
  }[];
}

/** views/partials/admin-refunds.ejs: posts `action`, `version` and for a check `gateway_refund_id` to `…/refunds/:id`. */
export interface AdminRefunds {
  readonly version: string;
  readonly attempts: readonly {
    readonly title: string;
    readonly facts: readonly Fact[];
    readonly links: readonly Link[];
    readonly refunds: readonly AdminRefund[];
  }[];
  /** Links of the review section to the refund form. */
  readonly reviewLinks: readonly Link[];
}

export interface AdminRefund {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly tone: OrderTone;
  readonly facts: readonly Fact[];
  /** What is known and what to do. Absent if the money was returned. */
  readonly about?: string;
  /** An admin user may check it, or answer from the gateway's dashboard. */
  readonly isOpen: boolean;
  readonly mayRepeat: boolean;
  /** Absent if the gateway's id of the refund is known. */
  readonly gatewayId?: FieldView;
}

/**
 * views/admin-refund.ejs: the first step posts `attempt`, `way`, `version`, `chosen_amount`, `refunded_on`, `reason` and
 * `returns_stock` to `…/refund`. The second step posts them and the typed `amount` to `…/refunds`.
 */
export interface AdminRefundPage {
  readonly number: string;
  readonly href: string;
  readonly title: string;
  readonly payment: string;
  /** Whether the gateway is called. */
  readonly effect: string;
  readonly facts: readonly Fact[];
  readonly errors: readonly FieldErrorView[];
  readonly hidden: Readonly<Record<string, string>>;
  /** First step. Fields that are absent are not asked for. */
  readonly fields?: {
    readonly amount?: FieldView;
    readonly amountHint: string;
    readonly day?: FieldView & { readonly label: string; readonly first: string; readonly last: string };
    readonly reason: FieldView;
    readonly reasonLimit: number;
    readonly stock?: FieldView;
  };
  /** Second step. */
  readonly confirmation?: { readonly amount: FieldView; readonly label: string; readonly submit: string };
}
