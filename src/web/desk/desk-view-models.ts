/** What the desk's views are given: ready strings and flags only, as everywhere. */
import type { FieldView, OrderTone, SummaryLine } from '../view-models.js';

/** views/desk-sign-in.ejs: posts `password`. */
export interface DeskSignInPage {
  readonly error?: string;
}

export interface DeskOrderRow {
  readonly number: string;
  readonly href: string;
  readonly total: string;
  readonly state: string;
  readonly tone: OrderTone;
  /** Why it waits for a person; empty when it does not. */
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

/** views/desk-overview.ejs */
export interface DeskOverviewPage {
  /** What waits for a person. */
  readonly rows: readonly DeskOrderRow[];
  /** There are more of them than are shown. */
  readonly moreHref?: string;
  readonly health: readonly {
    readonly title: string;
    readonly figure: string;
    readonly tone: OrderTone;
    readonly lines: readonly string[];
    readonly links: readonly Link[];
  }[];
  readonly sales: DeskSales;
}

export interface DeskSales {
  readonly facts: readonly Fact[];
  /** One bar a day, drawn in a box of `width` × 100. */
  readonly width: string;
  readonly days: readonly {
    readonly day: string;
    readonly count: string;
    readonly total: string;
    readonly bar: Readonly<Record<'x' | 'y' | 'height', string>>;
  }[];
  readonly axis: { readonly most: string; readonly first: string; readonly last: string };
  /** One bar a state, as wide as its percentage. */
  readonly states: readonly {
    readonly state: string;
    readonly tone: OrderTone;
    readonly count: string;
    readonly share: string;
    readonly width: string;
  }[];
  readonly counted: string;
}

/** views/desk-orders.ejs: asks by GET for `q`, `state`, `person`, `from`, `to`. */
export interface DeskOrdersPage {
  readonly rows: readonly DeskOrderRow[];
  /** Nothing was looked for: a filter has to be put right first. */
  readonly refused: boolean;
  readonly filtered: boolean;
  readonly sought: FieldView;
  /** The state that was asked for. */
  readonly standing: FieldView;
  readonly states: readonly { readonly value: string; readonly label: string; readonly selected: boolean }[];
  readonly person: boolean;
  readonly from: FieldView;
  readonly to: FieldView;
  readonly exportHref: string;
  readonly newerHref?: string;
  readonly olderHref?: string;
}

/**
 * views/desk-order.ejs: posts to `…/check`, `effect` to `…/effects`, and `decision`, `note`, `service_id`, `version` to
 * `…/decision`.
 */
export interface DeskOrderPage extends DeskOrderRow {
  /** What became of what the merchant just did. */
  readonly said?: string;
  /** Why the order stands as it stands. */
  readonly why: string;
  readonly facts: readonly Fact[];
  readonly lines: readonly SummaryLine[];
  readonly attempts: readonly {
    readonly title: string;
    readonly state: string;
    readonly words: string;
    readonly reference: string;
    readonly serviceId: string;
  }[];
  readonly effects: readonly {
    readonly effect: string;
    readonly name: string;
    readonly state: string;
    readonly tone: OrderTone;
    readonly lines: readonly string[];
    readonly mayRetry: boolean;
  }[];
  readonly events: readonly {
    readonly at: string;
    /** How long after the step before; empty for the first. */
    readonly gap: string;
    readonly kind: string;
    readonly told: readonly string[];
    readonly raw: string;
  }[];
  /** The order as it was shown: a decision about another one is refused. */
  readonly version: string;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint: string }[];
  readonly asksServiceId: boolean;
}
