import { createHash } from 'node:crypto';
import type { IRouter, Request, Response } from 'express';
import { type AdminUser, findAdminUserByName, recordSignIn, useTotpStep } from '../db/admin-users.js';
import type { Limit, Limiter } from '../db/limits.js';
import type { SignInResult } from '../domain/admin-user.js';
import type { WebContext } from '../web/context.js';
import { postedText } from '../web/form-body.js';
import { clientAddressOf, tooManyAttempts } from '../web/middleware/rate-limit.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf } from '../web/request-context.js';
import { isPassword } from './admin-password.js';
import { findSessionUser, SIGN_IN_PATH, startAdminSession } from './admin-session.js';
import { isKnownDevice, rememberDevice } from './known-device.js';
import { totpStepOf } from './second-factor.js';

/**
 * Limits of failed sign-ins. By name the limit is high, and devices that the user knows are exempt. There is no limit for
 * all clients together, because other clients could lock the merchant out.
 */
const LIMITS = {
  address: { name: 'admin_address', most: 10, seconds: 600 },
  name: { name: 'admin_name', most: 100, seconds: 600 },
  code: { name: 'admin_code', most: 5, seconds: 600 },
} as const satisfies Record<string, Limit>;

type SignInLimit = keyof typeof LIMITS;
type SignInLimiters = Readonly<Record<SignInLimit, Limiter>>;

/** Adds the sign-in: name and password, then the code if the user has a second factor. */
export function addSignInRoutes(app: IRouter, web: WebContext): void {
  const { limiter } = web.checkout.db;
  const limiters = {
    address: limiter(LIMITS.address),
    name: limiter(LIMITS.name),
    code: limiter(LIMITS.code),
  };
  app.get(SIGN_IN_PATH, async (req, res) => {
    const asksCode =
      req.query['again'] === undefined && (await findSessionUser(web, req, { needsCode: true }));
    return sendForm(web, res, { step: asksCode ? 'code' : 'password', name: '' });
  });
  app.post(SIGN_IN_PATH, (req, res) => {
    const check = postedText(req, 'step') === 'code' ? checkCode : checkPassword;
    return check(web, req, res, limiters);
  });
}

async function checkPassword(
  web: WebContext,
  req: Request,
  res: Response,
  limiters: SignInLimiters,
): Promise<void> {
  const { clock, db } = checkoutFor(web, res);
  // PostgreSQL refuses a null character.
  const name = postedText(req, 'name')
    .replace(/\p{Cc}/gu, '')
    .trim();
  const user = await findAdminUserByName(db.queries, name);
  // Counted before the password check, so that parallel guesses are counted too.
  await count(web, res, limiters, ['address', clientAddressOf(req)]);
  if (!isKnownDevice(req, user, web.settings)) await count(web, res, limiters, ['name', nameKey(name)]);
  const isCorrect = await isPassword(postedText(req, 'password'), user?.passwordHash);
  const form = { step: 'password', name } as const;
  if (!user) return reject(web, res, { user, result: 'unknown_name', form });
  if (!isCorrect) return reject(web, res, { user, result: 'wrong_password', form });
  if (user.disabledAt !== null) return reject(web, res, { user, result: 'disabled', form });
  if (user.totpSecret === null) return signIn(web, req, res, { user, limiters });
  await startAdminSession(req, user, { since: clock.now(), needsCode: true });
  res.redirect(303, SIGN_IN_PATH);
}

async function checkCode(
  web: WebContext,
  req: Request,
  res: Response,
  limiters: SignInLimiters,
): Promise<void> {
  const { clock, db } = web.checkout;
  const user = await findSessionUser(web, req, { needsCode: true });
  if (!user || user.totpSecret === null) return res.redirect(303, SIGN_IN_PATH);
  await count(web, res, limiters, ['code', user.id]);
  const step = totpStepOf(user.totpSecret, postedText(req, 'code'), clock.now());
  if (step === undefined || !(await useTotpStep(db.queries, user.id, step)))
    return reject(web, res, { user, result: 'wrong_code', form: { step: 'code', name: '' } });
  await limiters.code.reset(user.id);
  return signIn(web, req, res, { user, limiters });
}

async function signIn(
  web: WebContext,
  req: Request,
  res: Response,
  { user, limiters }: { readonly user: AdminUser; readonly limiters: SignInLimiters },
): Promise<void> {
  const { log, clock, db } = checkoutFor(web, res);
  const since = clock.now();
  await limiters.address.reset(clientAddressOf(req));
  await limiters.name.reset(nameKey(user.name));
  await startAdminSession(req, user, { since, needsCode: false });
  await recordSignIn(db.queries, { userId: user.id, at: since, result: 'signed_in' });
  rememberDevice(res, user, web.settings);
  log.info('admin.signed_in');
  res.redirect(303, '/admin');
}

/** The form posts `step` with `name` and `password`, or with `code`. */
interface SignInForm {
  readonly step: 'password' | 'code';
  /** Typed name. */
  readonly name: string;
  readonly error?: string;
}

interface Rejection {
  readonly user: AdminUser | undefined;
  readonly result: SignInResult;
  readonly form: SignInForm;
}

/** Also records a sign-in without a user, so the response time does not reveal which names exist. */
async function reject(web: WebContext, res: Response, { user, result, form }: Rejection): Promise<void> {
  const { log, clock, db } = checkoutFor(web, res);
  log.warn('admin.sign_in_rejected');
  await recordSignIn(db.queries, { userId: user?.id ?? null, at: clock.now(), result });
  const error = contextOf(res).t(`admin.signIn.${form.step === 'code' ? 'wrongCode' : 'wrong'}`);
  return sendForm(web, res, { ...form, error });
}

function sendForm(web: WebContext, res: Response, page: SignInForm): Promise<void> {
  const title = contextOf(res).t('admin.signIn.title');
  const status = page.error === undefined ? 200 : 401;
  return render(web, res, 'admin-sign-in', { title, status, path: SIGN_IN_PATH, page });
}

async function count(
  web: WebContext,
  res: Response,
  limiters: SignInLimiters,
  [limit, key]: readonly [SignInLimit, string],
): Promise<void> {
  const seconds = await limiters[limit].count(key);
  if (seconds !== undefined) throw tooManyAttempts(web, res, LIMITS[limit].name, seconds);
}

/** Hashed, because a user may type a password into the field for the name. */
function nameKey(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}
