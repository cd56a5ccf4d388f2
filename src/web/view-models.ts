/**
 * Models that several views share. `pages/` builds the model of each page. They hold formatted strings and flags, so that
 * views need no logic.
 */
import type { AdminAccess } from '../admin/permissions.js';
import type { Locale } from '../domain/locale.js';

/** Layout model of every page. */
export interface Layout {
  readonly lang: Locale;
  /** Offered locales for the language form in the footer, which posts `lang` and `back` to `/language`. */
  readonly locales: readonly { readonly code: Locale; readonly label: string; readonly current: boolean }[];
  readonly title: string;
  readonly brandColor: string;
  /** Whether pages show the decoration of the brand. */
  readonly decorated: boolean;
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

/** Links to the neighboring pages of a list. */
export interface PageLinks {
  readonly label: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
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

export type OrderTone = 'good' | 'waiting' | 'bad' | 'review';

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
