/**
 * Post/Redirect/Get of forms. A POST that is not accepted stores the form and redirects to its page, which shows the form with
 * its errors. Back and reload repeat only the GET.
 */

import { holdsCardNumber, isCardNumberAsPhone, maskCardNumbers } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { deleteTypedForms, findTypedForm, putTypedForm } from '../tables/typed-forms.js';
import { contextOf, localsOf } from './request-context.js';
import { saveSession } from './session.js';

/** Typed forms are personal data of customers who may never order. */
const LIFETIME_MS = 60 * 60 * 1000;

/** A customer's text is shown again up to this length. Programs create sessions in large numbers. */
const LONGEST_TYPED = 300;

/** Returns a typed text as a form stores it: empty if it may be a card number. */
export function storedText(typed: string, isCardNumber = holdsCardNumber): string {
  return isCardNumber(typed) ? '' : typed;
}

interface StoreOptions {
  /** The page of the form. Default: the path. */
  readonly page?: string;
  /** Its fields or `refuseCardData` checked each text. Digits that are left are no card number, such as a barcode. */
  readonly isChecked?: true;
}

/**
 * Stores the form of a page in the session, which it may create. Card numbers in texts that are not checked are masked. The
 * caller passes no card tokens.
 */
export async function storeForm(
  res: Response,
  page: string,
  form: object,
  { isChecked }: Pick<StoreOptions, 'isChecked'> = {},
): Promise<void> {
  const { req } = res;
  // Without a session, because its store failed, nothing is stored. The page says so.
  if (!req.session) return;
  const { db, clock } = contextOf(res).checkout;
  const longest = localsOf(res).admin ? Infinity : LONGEST_TYPED;
  const content = JSON.stringify(form, (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    const isCard = !isChecked && (name === 'phone' ? isCardNumberAsPhone : holdsCardNumber)(value);
    return (isCard ? maskCardNumbers(value) : value).slice(0, longest);
  });
  await putTypedForm(db.queries, { sid: req.sessionID, page, content, expiresAt: clock.now() + LIFETIME_MS });
  if (req.session.hasTypedForm) return;
  req.session.hasTypedForm = true;
  await saveSession(req);
}

/** Returns the form that was stored for the page, or `undefined`. */
export async function findForm<Form>(res: Response, page: string): Promise<Form | undefined> {
  const { session, sessionID: sid } = res.req;
  if (!session?.hasTypedForm) return undefined;
  const { db, clock } = contextOf(res).checkout;
  const content = await findTypedForm(db.queries, { sid, page }, clock.now());
  return content === undefined ? undefined : (JSON.parse(content) as Form);
}

/** Returns the stored form if the page shows the answer to a POST. */
export async function findAnswer<Form>(res: Response, page: string): Promise<Form | undefined> {
  return isAnswer(res.req) ? findForm<Form>(res, page) : undefined;
}

/** Deletes the form that was stored for the page. */
export async function forgetForm(res: Response, page: string): Promise<void> {
  const { session, sessionID } = res.req;
  if (session?.hasTypedForm) await deleteTypedForms(contextOf(res).checkout.db.queries, sessionID, page);
}

/** Stores the form and redirects to `path`, which shows it as the form of its page. */
export async function redirectToForm(
  res: Response,
  path: string,
  form: object,
  { page = path, ...options }: StoreOptions = {},
): Promise<void> {
  await storeForm(res, page, form, options);
  // The page has it. Here it would delay the redirect.
  res.removeHeader('Retry-After');
  res.redirect(303, answerPath(path));
}

/** Returns the address at which the page shows the answer to a POST. */
export function answerPath(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}answer=1`;
}

/** Returns whether the page shows the answer to a POST. At its plain address it shows no errors. */
export function isAnswer(req: Request): boolean {
  return req.query['answer'] === '1';
}

/** Sets `Retry-After` until `retryAt`, in milliseconds since 1970. Returns whether it is over, so that the answer is outdated. */
export function isWaitOver(res: Response, { retryAt }: { readonly retryAt?: number }): boolean {
  if (retryAt === undefined) return false;
  const seconds = Math.ceil((retryAt - contextOf(res).checkout.clock.now()) / 1000);
  if (seconds > 0) res.set('Retry-After', String(seconds));
  return seconds <= 0;
}

/** Returns what a page says that a limit refused: the seconds of `Retry-After`, which must be set. */
export function waitText(res: Response): string {
  return contextOf(res).t('errors.too_many_attempts.text', { count: Number(res.get('Retry-After')) });
}
