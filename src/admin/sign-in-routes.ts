import { createHash } from 'node:crypto';
import type { IRouter, Request, Response } from 'express';
import type { SignInResult } from '../shop/rules/admin-user.js';
import type { ClientKeys } from '../shop/rules/stock.js';
import { type AdminUser, findAdminUserByName, recordSignIn } from '../tables/admin-users.js';
import type { ClientLimiter, LimitKey } from '../tables/client-limits.js';
import { clientFor, clientOf } from '../web/client-address.js';
import { postedText } from '../web/form-body.js';
import { tooManyAttempts } from '../web/middleware/rate-limit.js';
import { adminPaths } from '../web/paths.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { answerPath, isAnswer } from '../web/typed-form.js';
import type { WebContext } from '../web/web-context.js';
import { startAdminSession } from './admin-session.js';
import { isPassword } from './credentials.js';
import {
  forgetTypedName,
  isKnownDevice,
  setDeviceCookie,
  setTypedName,
  takeReturnPath,
  typedNameOf,
} from './sign-in-cookies.js';

/**
 * Names of the limits of failed sign-ins: of a client with one name, of a client with any name, and of a name. Those with any
 * name are high, so that the wrong passwords of one user do not lock out another one of the same network. The limits of a
 * name and of a client with any name do not apply to known devices. Above the limit of a name a client has few tries with any
 * such name. There is no limit for all clients together, because other clients could lock the merchant out.
 */
const LIMIT_NAMES = {
  address: 'admin_address',
  anyName: 'admin_address',
  name: 'admin_name',
  few: 'admin_name',
} as const;
type SignInLimit = keyof typeof LIMIT_NAMES;
type SignInLimiters = Readonly<Record<SignInLimit, ClientLimiter>>;
/** `Retry-After` when too many password checks wait. They end within 5 s. */
const QUEUE_WAIT_S = 5;

/** Adds the sign-in: name and password, then the code if the user has a second factor. */
export function addSignInRoutes(app: IRouter, web: WebContext): void {
  const { limiter } = web.checkout.db;
  const limiters = {
    address: limiter({ name: LIMIT_NAMES.address, max: 10, seconds: 600 }),
    anyName: limiter({ name: 'admin_any_name', max: 50, seconds: 600 }),
    name: limiter({ name: LIMIT_NAMES.name, max: 100, seconds: 600 }),
    few: limiter({ name: 'admin_few', max: 3, seconds: 600 }),
  };
  app.get(adminPaths.signIn, sendForm);
  app.post(adminPaths.signIn, (req, res) => checkPassword(req, res, limiters));
  web.secondFactor?.addCodePage(app, web.checkout, (req, res, user) => signIn(req, res, user, limiters));
}

async function checkPassword(req: Request, res: Response, limiters: SignInLimiters): Promise<void> {
  const { checkout, secondFactor } = contextOf(res);
  const { clock, db, log } = checkout;
  // PostgreSQL refuses a null character.
  const name = postedText(req, 'name')
    .replace(/\p{Cc}/gu, '')
    .trim();
  const user = await findAdminUserByName(db.queries, name);
  const device = user && isKnownDevice(req, res, user) ? 'known' : 'unknown';
  const tries = triesOf(req, name, device === 'known' ? user : undefined);
  // Counted before the password check, so that parallel tries are counted too.
  for (const { limit, key } of tries) await count(res, limiters, limit, key);
  const client = clientOf(req);
  const isPressed = device === 'unknown' && (await limiters.name.count(nameKey(name))) !== undefined;
  if (isPressed) await count(res, limiters, 'few', client);
  const uses = await Promise.all(tries.map(({ limit, key }) => limiters[limit].used(key)));
  const rank = Math.max(...uses);
  const isCorrect = await isPassword(postedText(req, 'password'), user?.passwordHash, device, rank);
  if (isCorrect === undefined) {
    // A password that was not checked is no try.
    await uncount(limiters, tries);
    if (isPressed) await limiters.few.uncount(client);
    throw tooManyAttempts(res, 'admin_queue', QUEUE_WAIT_S);
  }
  const refuse = (result: SignInResult) => {
    setTypedName(res, name);
    return refuseSignIn(res, user, result);
  };
  if (!user) return refuse('unknown_name');
  if (!isCorrect) return refuse('wrong_password');
  if (user.disabledAt !== null) return refuse('disabled');
  if (user.totpSecret === null) return signIn(req, res, user, limiters);
  if (!secondFactor) {
    log.error('admin.second_factor_removed', { user: user.name });
    return refuseSignIn(res, user, 'removed_factor', `${adminPaths.signIn}?factor=removed`);
  }
  await startAdminSession(req, user, { since: clock.now(), needsCode: true });
  res.redirect(303, secondFactor.codePage);
}

async function signIn(req: Request, res: Response, user: AdminUser, limiters: SignInLimiters): Promise<void> {
  const { log, clock, db } = contextOf(res).checkout;
  const since = clock.now();
  // Not reset: a user could otherwise guess passwords of other users without a limit.
  await uncount(limiters, triesOf(req, user.name, isKnownDevice(req, res, user) ? user : undefined));
  await limiters.name.reset(nameKey(user.name));
  await startAdminSession(req, user, { since, needsCode: false });
  await recordSignIn(db.queries, { userId: user.id, at: since, result: 'signed_in' });
  setDeviceCookie(res, user);
  forgetTypedName(res);
  log.info('admin.signed_in');
  res.redirect(303, takeReturnPath(req, res));
}

/**
 * Redirects to the page of the step, which shows that it was refused, so that Back and reload post nothing. Also records a
 * sign-in without a user, so the response time does not reveal which names exist.
 */
export async function refuseSignIn(
  res: Response,
  user: AdminUser | undefined,
  result: SignInResult,
  page: string = adminPaths.signIn,
): Promise<void> {
  const { log, clock, db } = contextOf(res).checkout;
  if (!LOGGED_AS_ERROR.includes(result)) log.warn('admin.sign_in_rejected');
  await recordSignIn(db.queries, { userId: user?.id ?? null, at: clock.now(), result });
  res.redirect(303, answerPath(page));
}

/** No fault of the user. The log has an error instead. */
const LOGGED_AS_ERROR: readonly SignInResult[] = ['unreadable_factor', 'removed_factor'];

function sendForm(req: Request, res: Response): Promise<void> {
  const { t, secondFactor, forgottenPassword } = contextOf(res);
  const problem = req.query['factor'] === 'removed' && !secondFactor ? 'removedFactor' : 'wrong';
  const refusal = problem === 'wrong' ? 401 : 409;
  const isRefused = isAnswer(req);
  return render(res, 'admin-sign-in', {
    title: t('admin.signIn.title'),
    status: isRefused ? refusal : 200,
    path: adminPaths.signIn,
    page: {
      error: isRefused && t(`admin.signIn.${problem}`),
      name: isRefused ? typedNameOf(req) : '',
      returns: req.query['return'] === '1' && t('admin.signIn.returns'),
      forgotten: forgottenPassword && { href: forgottenPassword.path, label: forgottenPassword.label(t) },
    },
  });
}

interface Try {
  readonly limit: 'address' | 'anyName';
  readonly key: ClientKeys;
}

/**
 * Returns what counts a try, the narrowest first. A known device of a user has tries of its own, so that its network cannot use
 * them up.
 */
function triesOf(req: Request, name: string, known: AdminUser | undefined): readonly Try[] {
  const client = clientOf(req);
  if (known) return [{ limit: 'address', key: clientFor(`known ${known.id}`, client) }];
  return [
    { limit: 'address', key: clientFor(nameKey(name), client) },
    { limit: 'anyName', key: client },
  ];
}

async function count(res: Response, limiters: SignInLimiters, limit: SignInLimit, key: LimitKey): Promise<void> {
  const seconds = await limiters[limit].count(key);
  if (seconds !== undefined) throw tooManyAttempts(res, LIMIT_NAMES[limit], seconds);
}

async function uncount(limiters: SignInLimiters, tries: readonly Try[]): Promise<void> {
  for (const { limit, key } of tries) await limiters[limit].uncount(key);
}

/** Hashed, because a user may type a password into the field for the name. */
function nameKey(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}
