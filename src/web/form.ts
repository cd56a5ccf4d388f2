/** A form is declared once by its fields. Its POST calls `readForm`, and form-page.ts shows its page. */
import { holdsCardNumber, isCardNumberAsPhone, maskCardNumbers, plainText } from '@tianguis/payments/rules';
import type { Response } from 'express';
import type { MessageKey } from '../locales/message-keys.js';
import type { Translate } from '../locales/translations.js';
import type { FieldError } from './field-error.js';
import { fieldsOf, isPassword, readText } from './form-body.js';
import { contextOf } from './request-context.js';

/** The trimmed texts of a form by the names of its fields, as the page shows them again. */
export type Typed = Readonly<Record<string, string>>;

/** A text of a field: the key of its message, or a function that returns the text. */
export type FieldText = MessageKey | ((t: Translate) => string);

/** The form beside a field that is read. */
export interface Reading {
  /** The trimmed texts of all fields. */
  readonly texts: Typed;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** A field of a form: how it is shown, and how its text is read. */
export interface Field<Value> {
  /**
   * Default: `text`, one line. A `checkbox` posts `yes`. `checkboxes` are read as one text, joined by spaces. The name of a
   * `password` must end with this word. Otherwise its text is trimmed.
   */
  readonly kind?:
    | ('text' | 'email' | 'tel' | 'url' | 'password' | 'date' | 'multiline')
    | ('list' | 'radios' | 'checkbox' | 'checkboxes');
  readonly label: FieldText;
  /** Only screen readers read the label, such as that of a cell. */
  readonly isLabelHidden?: true;
  readonly hint?: FieldText | undefined;
  /** Of a list, radio buttons or checkboxes. */
  readonly options?: readonly FieldOption[];
  /** First entry of a list, which chooses nothing. */
  readonly choose?: FieldText;
  /** On-screen keyboard. */
  readonly inputMode?: 'decimal' | 'numeric';
  /** The keyboard begins with a capital or with small letters, and spelling is not checked. Default: as a sentence. */
  readonly autocapitalize?: 'characters' | 'none';
  /** Autofill token. Default: `off`. */
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  readonly lang?: string | undefined;
  /** The text of a checkbox that confirms the value, if the form asks. It posts `confirmed_` and the name of the field. */
  readonly confirm?: FieldText;
  /** First and last day. */
  readonly min?: string;
  readonly max?: string;
  /** Lines of a `multiline` field. Default: 4. */
  readonly rows?: number;
  /** The field's own rule for a possible card number, such as that of a parcel or a list of codes. */
  holdsCard?(text: string): boolean;
  /** Returns the value of a trimmed text, or `undefined` for a wrong one. */
  parse(text: string, reading: Reading): Value | undefined;
  /** What the form says at the field about a wrong text, an empty one included. Absent: no text is wrong. */
  readonly problem?: MessageKey | ((t: Translate, text: string, reading: Reading) => string);
}

export interface FieldOption {
  readonly value: string;
  readonly label: FieldText;
}

/** The fields of a form by name, in the order in which it shows them. */
export type FormFields = Readonly<Record<string, Field<unknown>>>;

/** The values of the fields, by name. */
export type ValuesOf<Fields extends FormFields> = {
  readonly [Name in keyof Fields]: Exclude<ReturnType<Fields[Name]['parse']>, undefined>;
};

/** A form as its page shows it. */
export interface ShownForm {
  readonly typed: Typed;
  readonly errors: readonly FieldError[];
  /** What confirms the value of a field, by its name. */
  readonly asked?: Typed;
}

/** A form that was not stored for good, as it is kept until its page shows it. */
export interface RefusedForm extends ShownForm {
  /** `409`: what the form changes is another since the user saw it. `429`: the shop is busy. `200`: a preview. */
  readonly status: 200 | 409 | 422 | 429;
  /** Name of the message of the page. Default after a conflict: `changed_meanwhile`. */
  readonly result?: string;
  /** The version of what the form changes, as the user saw it. Absent after a conflict, so that the user decides anew. */
  readonly version?: string | undefined;
}

/** A posted form: the values of its fields, or why it is refused. `typed` has no password and no possible card number. */
export type PostedForm<Values> = { readonly typed: Typed; readonly version: string } & (
  | { readonly values: Values; readonly refused?: undefined }
  | { readonly values?: undefined; readonly refused: RefusedForm }
);

/**
 * Reads the posted form. A possible card number is refused at its field, if `forms` of the feature names the fields.
 * Otherwise the middleware refuses the request before, and what was typed is lost.
 */
export function readForm<Fields extends FormFields>(
  res: Response,
  fields: Fields,
  posted = fieldsOf(res.req),
): PostedForm<ValuesOf<Fields>> {
  const { t, checkout } = contextOf(res);
  const list = Object.entries(fields);
  const texts = Object.fromEntries(list.map(([name, { kind }]) => [name, postedTextOf(name, kind, posted[name])]));
  const reading: Reading = { texts, now: checkout.clock.now() };
  const typed: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, field] of list) {
    const text = texts[name] ?? '';
    const value = field.parse(text, reading);
    // A phone number with its prefix may pass as a card number. Its value does not.
    const isCard = isCardNumber(name, field, typeof value === 'string' ? value : text);
    typed[name] = shownAgain(text, isCard, isPassword(name) || field.kind === 'password');
    values[name] = value;
    if (value !== undefined && !isCard) continue;
    errors.push({ field: name, message: isCard ? t('form.cardData') : problemOf(t, field, text, reading) });
  }
  const form = { typed, version: readText(posted['version']) };
  if (errors.length > 0) return { ...form, refused: { ...form, errors, status: 422 } };
  return { ...form, values: values as ValuesOf<Fields> };
}

function postedTextOf(name: string, kind: Field<unknown>['kind'], posted: unknown): string {
  const text = kind === 'checkboxes' ? [posted].flat().map(readText).join(' ') : readText(posted);
  return isPassword(name) ? text : plainText(text).trim();
}

/** A password is not sent back, and of a possible card number only the rest of its text. */
function shownAgain(text: string, isCard: boolean, isSecret: boolean): string {
  if (isSecret) return '';
  return isCard ? maskCardNumbers(text) : text;
}

function isCardNumber(name: string, { kind, holdsCard }: Field<unknown>, text: string): boolean {
  if (isPassword(name)) return false;
  if (holdsCard) return holdsCard(text);
  return kind === 'tel' ? isCardNumberAsPhone(text) : holdsCardNumber(text);
}

function problemOf(
  t: Translate,
  { problem = 'form.cardData' }: Field<unknown>,
  text: string,
  reading: Reading,
): string {
  return typeof problem === 'string' ? t(problem) : problem(t, text, reading);
}

/** Returns the posted form with errors that its values alone do not show. */
export function refusedWith(
  { typed, version }: Pick<PostedForm<object>, 'typed' | 'version'>,
  errors: Readonly<Record<string, string | false | undefined>>,
): RefusedForm {
  return { typed, version, status: 422, errors: errorList(errors) };
}

/** Returns the posted form after a change by another user. Its page shows what was typed, and asks to save again. */
export function conflictOf({ typed }: Pick<PostedForm<object>, 'typed'>): RefusedForm {
  return { typed, status: 409, errors: [] };
}

/** Returns the errors of the fields that have one. */
export function errorList(messages: Readonly<Record<string, string | false | undefined>>): readonly FieldError[] {
  return Object.entries(messages).flatMap(([field, message]) => (message ? [{ field, message }] : []));
}
