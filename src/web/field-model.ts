interface Option {
  readonly value: string;
  readonly label: string;
  /** Of a state: the range of its postal codes, and its municipalities. Scripts read both. */
  readonly postal?: string;
  readonly municipalities?: string | undefined;
}

/** A field as views/partials/field.ejs shows it. */
export interface FieldModel {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly kind?: string | undefined;
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** What the field belongs to, such as a product. Only screen readers read it, after the label. */
  readonly labelOf?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Of a checkbox `yes` or empty, of checkboxes those that are checked, joined by spaces. A file does not show it. */
  readonly value: string;
  readonly lang?: string | undefined;
  /** Of a list, radio buttons or checkboxes. */
  readonly options?: readonly Option[];
  readonly optionsLang?: string | undefined;
  /** First entry of a list, which chooses nothing. */
  readonly choose?: string | undefined;
  /** Texts that the browser suggests. */
  readonly suggestions?: readonly string[];
  readonly autocomplete?: string;
  readonly autocapitalize?: string;
  readonly inputMode?: string | undefined;
  readonly isRequired?: boolean;
  readonly min?: string | undefined;
  readonly max?: string;
  readonly rows?: number;
  /** Types of a file. */
  readonly accept?: string;
  /** Texts for scripts, by the names of their `data-` attributes. */
  readonly data?: Readonly<Record<string, string>>;
  /** It has a line of its own on a wide screen. */
  readonly isWide?: boolean;
  /** The model of views/partials/confirmation.ejs. */
  readonly confirmation?: { readonly name: string; readonly value: string; readonly label: string } | undefined;
  /** The browser's own picker of a color. */
  readonly picker?: { readonly name: string; readonly value: string | undefined; readonly label: string } | undefined;
  /** The model of views/partials/email-question.ejs. */
  readonly question?: object | undefined;
}
