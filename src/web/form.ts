/**
 * A form is declared once by its fields. Its POST calls `readForm`, and then `redirectToForm` of typed-form.ts with a refused form,
 * or `redirectToResult`. The GET of its page calls `findRefused`, `fieldModels` and `renderForm`.
 */
import { holdsCardNumber, isCardNumberAsPhone, maskCardNumbers, plainText } from '@tianguis/payments/rules';
import type { Response } from 'express';
import type { MessageKey } from '../locales/message-keys.js';
import type { Translate } from '../locales/translations.js';
import type { FieldError } from '../view-models/field-error.js';
import { fieldsOf, isPassword, readText } from './form-body.js';
import { type PageOptions, render } from './render.js';
import { contextOf } from './request-context.js';
import { findAnswer, forgetForm, isAnswer } from './typed-form.js';

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
 * Reads the posted form. A possible card number is refused at its field, if `fieldsWithCardCheck` of the feature names it.
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

/** Builds the fields for views/partials/field.ejs: as typed in a refused form, otherwise as stored. A checked box is `yes`. */
export function fieldModels(t: Translate, fields: FormFields, refused: ShownForm | undefined, stored: Typed = {}) {
  return Object.entries(fields).map(([name, { label, hint, options = [], choose, confirm, ...field }]) => ({
    ...field,
    name,
    label: textOf(t, label),
    hint: hint && textOf(t, hint),
    options: options.map((option) => ({ value: option.value, label: textOf(t, option.label) })),
    choose: choose && textOf(t, choose),
    value: refused?.typed[name] ?? stored[name] ?? '',
    error: refused?.errors.find((each) => each.field === name)?.message,
    confirmation: confirm &&
      refused?.asked?.[name] && { name: `confirmed_${name}`, value: refused.asked[name], label: textOf(t, confirm) },
  }));
}

function textOf(t: Translate, text: FieldText): string {
  return typeof text === 'string' ? t(text) : text(t);
}

/** Returns whether the page shows this form as it was refused. A page may have several forms. */
export function isRefused(refused: ShownForm | undefined, fields: FormFields): boolean {
  return Object.keys(fields).some((name) => refused?.typed[name] !== undefined);
}

/** Returns the version that the form posts as `version`: the one that the user saw when it was opened, or the present one. */
export function versionOf(refused: RefusedForm | undefined, present: number): string {
  return refused?.version ?? String(present);
}

/**
 * Returns the form that the page shows, if it shows the answer to a POST that was not accepted. One that an earlier version of the
 * shop stored in another shape is lost. `lostAt`: the field with this message if the browser keeps no session, or after an hour.
 */
export async function findRefused(res: Response, path: string, lostAt?: string): Promise<RefusedForm | undefined> {
  const form = await findAnswer<Partial<RefusedForm>>(res, path);
  if (form?.typed && form.errors) return { status: form.errors.length > 0 ? 422 : 409, ...form } as RefusedForm;
  if (form) return { typed: {}, errors: [], status: 200, result: 'lost' };
  if (lostAt === undefined || !isAnswer(res.req)) return undefined;
  return { typed: {}, errors: [{ field: lostAt, message: contextOf(res).t('notices.formLost') }], status: 422 };
}

/** Forgets the typed form and redirects to its page, which shows the result. */
export async function redirectToResult(res: Response, path: string, result: string): Promise<void> {
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${result}`);
}

interface FormPage extends PageOptions {
  readonly path: string;
  readonly refused: RefusedForm | undefined;
  /** The messages by the names of results. */
  readonly results?: Readonly<Record<string, MessageKey>>;
}

/**
 * Renders the page of a form with what its last POST did: refused (422), in conflict (409), busy (429), lost, previewed, or done.
 * Adds `errors`, `result` and `isDone` to its model, for the partials `errors` and `admin-result`.
 */
export async function renderForm(res: Response, view: string, options: FormPage): Promise<void> {
  const { refused, results = {}, ...page } = options;
  const { t } = contextOf(res);
  const conflict = refused?.status === 409 ? 'changed_meanwhile' : undefined;
  const name = refused?.result ?? conflict ?? readText(res.req.query['result']);
  const message = name === 'lost' ? 'notices.formLost' : Object.hasOwn(results, name) && results[name];
  const errors = refused?.errors ?? [];
  const shown = { isDone: refused === undefined, ...page.page, errors, result: message && t(message) };
  await render(res, view, { ...page, status: refused?.status, hasErrors: errors.length > 0, page: shown });
}
