/**
 * The page of a declared form. A POST ends with `redirectToRefused` or `redirectToResult`. The GET calls `findRefused`,
 * `fieldModels` and `renderForm`.
 */
import type { Response } from 'express';
import type { MessageKey } from '../locales/message-keys.js';
import type { Translate } from '../locales/translations.js';
import type { FieldModel } from './field-model.js';
import type { FieldText, FormFields, RefusedForm, ShownForm, Typed } from './form.js';
import { readText } from './form-body.js';
import { type PageOptions, render } from './render.js';
import { contextOf } from './request-context.js';
import { findAnswer, forgetForm, isAnswer, redirectToForm } from './typed-form.js';

/** Builds the fields for views/partials/field.ejs: as typed in a refused form, otherwise as stored. A checked box is `yes`. */
export function fieldModels(
  t: Translate,
  fields: FormFields,
  refused: ShownForm | undefined,
  stored: Typed = {},
): readonly FieldModel[] {
  return Object.entries(fields).map(([name, { label, hint, options = [], choose, confirm, ...field }]) => ({
    ...field,
    name,
    label: textOf(t, label),
    hint: hint && textOf(t, hint),
    options: options.map((option) => ({ value: option.value, label: textOf(t, option.label) })),
    choose: choose && textOf(t, choose),
    value: refused?.typed[name] ?? stored[name] ?? '',
    error: refused?.errors.find((each) => each.field === name)?.message,
    confirmation: confirmationOf(t, name, confirm, refused?.asked?.[name]),
  }));
}

function confirmationOf(t: Translate, name: string, confirm: FieldText | undefined, value: string | undefined) {
  return confirm && value ? { name: `confirmed_${name}`, value, label: textOf(t, confirm) } : undefined;
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

/**
 * Stores the refused form and redirects to `path`, which shows it as the form of `page`. Its texts hold no possible card number:
 * `readForm` left it out by the rules of the fields, or the caller by `storedText`.
 */
export function redirectToRefused(res: Response, path: string, refused: RefusedForm, page = path): Promise<void> {
  return redirectToForm(res, path, refused, { page, isChecked: true });
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
