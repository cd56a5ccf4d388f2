import { createHash } from 'node:crypto';
import type { IRouter, Request, Response } from 'express';
import {
  type AdminUser,
  findAdminUserByName,
  recordSignIn,
  recordUserEvent,
  useRecoveryCode,
  useTotpStep,
} from '../db/admin-users.js';
import type { ClientLimiter, LimitKey } from '../db/client-limits.js';
import type { SignInResult } from '../shop/rules/admin-user.js';
import type { ClientKeys } from '../shop/rules/stock.js';
import { clientFor, clientOf } from '../web/client-address.js';
import type { WebContext } from '../web/context.js';
import { postedText } from '../web/form-body.js';
import { tooManyAttempts } from '../web/middleware/rate-limit.js';
import { adminPaths } from '../web/paths.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { answerPath, isAnswer } from '../web/typed-form.js';
import { findSessionUser, startAdminSession } from './admin-session.js';
import { isPassword, recoveryCodeHash, totpStepOf } from './credentials.js';
import { forgetTypedName, isKnownDevice, setDeviceCookie, setTypedName, typedNameOf } from './sign-in-cookies.js';
import { openTotpSecret } from './totp-secret.js';

/**
 * Names of the limits of failed sign-ins. The limits by name are high and do not apply to known devices. Above that of
 * passwords a client has few tries with any name. There is no limit for all clients together, because other clients could
 * lock the merchant out.
 */
const LIMIT_NAMES = {
  address: 'admin_address',
  name: 'admin_name',
  few: 'admin_name',
  code: 'admin_code',
  codes: 'admin_name',
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
    name: limiter({ name: LIMIT_NAMES.name, max: 100, seconds: 600 }),
    few: limiter({ name: 'admin_few', max: 3, seconds: 600 }),
    code: limiter({ name: LIMIT_NAMES.code, max: 5, seconds: 600 }),
    codes: limiter({ name: 'admin_codes', max: 100, seconds: 600 }),
  };
  app.get(adminPaths.signIn, sendPage);
  app.post(adminPaths.signIn, (req, res) => {
    const check = postedText(req, 'step') === 'code' ? checkCode : checkPassword;
    return check(req, res, limiters);
  });
}

async function checkPassword(req: Request, res: Response, limiters: SignInLimiters): Promise<void> {
  const { clock, db } = contextOf(res).checkout;
  // PostgreSQL refuses a null character.
  const name = postedText(req, 'name')
    .replace(/\p{Cc}/gu, '')
    .trim();
  const user = await findAdminUserByName(db.queries, name);
  const device = user && isKnownDevice(req, res, user) ? 'known' : 'unknown';
  const client = senderOf(req, res, user);
  // Counted before the password check, so that parallel tries are counted too.
  await count(res, limiters, 'address', client);
  const isPressed = device === 'unknown' && (await limiters.name.count(nameKey(name))) !== undefined;
  if (isPressed) await count(res, limiters, 'few', client);
  const rank = await limiters.address.used(client);
  const isCorrect = await isPassword(postedText(req, 'password'), user?.passwordHash, device, rank);
  if (isCorrect === undefined) {
    // A password that was not checked is no try.
    await limiters.address.uncount(client);
    if (isPressed) await limiters.few.uncount(client);
    throw tooManyAttempts(res, 'admin_queue', QUEUE_WAIT_S);
  }
  const refuse = (result: SignInResult) => {
    setTypedName(res, name);
    return reject(res, user, result);
  };
  if (!user) return refuse('unknown_name');
  if (!isCorrect) return refuse('wrong_password');
  if (user.disabledAt !== null) return refuse('disabled');
  if (user.totpSecret === null) return signIn(req, res, user, limiters);
  await startAdminSession(req, user, { since: clock.now(), needsCode: true });
  res.redirect(303, adminPaths.signIn);
}

async function checkCode(req: Request, res: Response, limiters: SignInLimiters): Promise<void> {
  const { checkout, secrets } = contextOf(res);
  const { clock, db } = checkout;
  const user = await findSessionUser(req, res, { needsCode: true });
  if (!user || user.totpSecret === null) return res.redirect(303, adminPaths.signIn);
  const isKnown = isKnownDevice(req, res, user);
  // An attacker with the password can lock only its own network, and no known device in it. The limit by name counts the codes
  // of new devices, against guesses from many networks.
  const sender = clientFor(`${user.id} ${isKnown ? 'known' : 'new'}`, clientOf(req));
  await count(res, limiters, 'code', sender);
  if (!isKnown) await count(res, limiters, 'codes', nameKey(user.name));
  const recoveryCode = recoveryCodeHash(postedText(req, 'code'));
  if (recoveryCode !== undefined) {
    const isUsed = await spendRecoveryCode(res, user, recoveryCode);
    if (!isUsed) return reject(res, user, 'wrong_code', { ...CODE_STEP, recovery: '1' });
    await limiters.code.reset(sender);
    return signIn(req, res, user, limiters);
  }
  const secret = openTotpSecret(user.totpSecret, user.id, secrets.sessionSecrets);
  if (secret === undefined) {
    checkout.log.error('admin.second_factor_unreadable', { user: user.name });
    return reject(res, user, 'unreadable_factor', CODE_STEP);
  }
  const step = totpStepOf(secret, postedText(req, 'code'), clock.now());
  if (step === undefined || !(await useTotpStep(db.queries, user.id, step)))
    return reject(res, user, 'wrong_code', CODE_STEP);
  await limiters.code.reset(sender);
  return signIn(req, res, user, limiters);
}

/** Returns false if the code does not work. Of parallel requests with one code, one gets true. */
function spendRecoveryCode(res: Response, { id: userId, name: by }: AdminUser, hash: string): Promise<boolean> {
  const { db, clock } = contextOf(res).checkout;
  return db.transaction(async (queries) => {
    const isUsed = await useRecoveryCode(queries, userId, hash);
    if (isUsed) await recordUserEvent(queries, { userId, at: clock.now(), by, kind: 'recovery_code_used' });
    return isUsed;
  });
}

async function signIn(req: Request, res: Response, user: AdminUser, limiters: SignInLimiters): Promise<void> {
  const { log, clock, db } = contextOf(res).checkout;
  const since = clock.now();
  // Not reset: a user could otherwise guess passwords of other users without a limit.
  await limiters.address.uncount(senderOf(req, res, user));
  await limiters.name.reset(nameKey(user.name));
  await limiters.codes.reset(nameKey(user.name));
  await startAdminSession(req, user, { since, needsCode: false });
  await recordSignIn(db.queries, { userId: user.id, at: since, result: 'signed_in' });
  setDeviceCookie(res, user);
  forgetTypedName(res);
  log.info('admin.signed_in');
  res.redirect(303, adminPaths.overview);
}

/** Parameters of the page that asks for a code. */
const CODE_STEP = { step: 'code' } as const;

/**
 * Redirects to the page of the step, which shows that it was refused, so that Back and reload post nothing. Also records a
 * sign-in without a user, so the response time does not reveal which names exist.
 */
async function reject(
  res: Response,
  user: AdminUser | undefined,
  result: SignInResult,
  parameters: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { log, clock, db } = contextOf(res).checkout;
  if (result !== 'unreadable_factor') log.warn('admin.sign_in_rejected');
  await recordSignIn(db.queries, { userId: user?.id ?? null, at: clock.now(), result });
  const asked = String(new URLSearchParams(parameters));
  res.redirect(303, answerPath(asked ? `${adminPaths.signIn}?${asked}` : adminPaths.signIn));
}

/** The form posts `step` with `name` and `password`, or with `code`. */
interface SignInForm {
  readonly step: 'password' | 'code';
  /** The code is a recovery code. */
  readonly isRecovery: boolean;
  readonly error: 'wrong' | 'wrongCode' | 'unreadable' | undefined;
}

/** The step is that of the session, and after a refusal the one that was refused. */
async function sendPage(req: Request, res: Response): Promise<void> {
  const { query } = req;
  const isRefused = isAnswer(req);
  const asksForPassword = query['again'] !== undefined || (isRefused && query['step'] !== CODE_STEP.step);
  const user = asksForPassword ? undefined : await findSessionUser(req, res, { needsCode: true });
  // The time for the code is over.
  if (isRefused && !asksForPassword && !user) return res.redirect(303, adminPaths.signIn);
  const isRecovery = query['recovery'] !== undefined;
  if (!user) return sendForm(req, res, { step: 'password', isRecovery, error: isRefused ? 'wrong' : undefined });
  const refusal = isRecovery || isReadable(res, user) ? 'wrongCode' : 'unreadable';
  return sendForm(req, res, { step: 'code', isRecovery, error: isRefused ? refusal : undefined });
}

function isReadable(res: Response, { id, totpSecret }: AdminUser): boolean {
  const { sessionSecrets } = contextOf(res).secrets;
  return totpSecret !== null && openTotpSecret(totpSecret, id, sessionSecrets) !== undefined;
}

function sendForm(req: Request, res: Response, { error, ...form }: SignInForm): Promise<void> {
  const { t } = contextOf(res);
  const refusal = error === 'unreadable' ? 409 : 401;
  return render(res, 'admin-sign-in', {
    title: t('admin.signIn.title'),
    status: error === undefined ? 200 : refusal,
    path: adminPaths.signIn,
    // The message of an unreadable factor names the command, which works without another manager.
    page: { ...form, error: error && t(`admin.signIn.${error}`), name: error === 'wrong' ? typedNameOf(req) : '' },
  });
}

/** Returns for whom tries count. A known device has tries of its own for its user, so that its network cannot use them up. */
function senderOf(req: Request, res: Response, user: AdminUser | undefined): ClientKeys {
  const client = clientOf(req);
  return user && isKnownDevice(req, res, user) ? clientFor(`known ${user.id}`, client) : client;
}

async function count(res: Response, limiters: SignInLimiters, limit: SignInLimit, key: LimitKey): Promise<void> {
  const seconds = await limiters[limit].count(key);
  if (seconds !== undefined) throw tooManyAttempts(res, LIMIT_NAMES[limit], seconds);
}

/** Hashed, because a user may type a password into the field for the name. */
function nameKey(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('base64url');
}
