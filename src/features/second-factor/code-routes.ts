import type { IRouter, Request, Response } from 'express';
import { findSessionUser } from '../../admin/admin-session.js';
import { isKnownDevice } from '../../admin/sign-in-cookies.js';
import { refuseSignIn } from '../../admin/sign-in-routes.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { SignInResult } from '../../shop/rules/admin-user.js';
import { type AdminUser, recordUserEvent } from '../../tables/admin-users.js';
import { clientFor, clientOf } from '../../web/client-address.js';
import { postedText } from '../../web/form-body.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { CompleteSignIn } from '../../web/services.js';
import { isAnswer } from '../../web/typed-form.js';
import { secondFactorPaths } from './paths.js';
import { useRecoveryCode, useTotpStep } from './repository.js';
import { recoveryCodeHash, totpStepOf } from './totp.js';
import { openTotpSecret } from './totp-secret.js';

/** Adds the page that asks for a code after the password. A recovery code replaces one. */
export function addCodePage(app: IRouter, { db: { limiter } }: CheckoutContext, signIn: CompleteSignIn): void {
  const limiters = {
    code: limiter({ name: 'admin_code', max: 5, seconds: 600 }),
    codes: limiter({ name: 'admin_codes', max: 100, seconds: 600 }),
  };

  async function checkCode(req: Request, res: Response): Promise<void> {
    const user = await findSessionUser(req, res, { needsCode: true });
    if (!user) return res.redirect(303, adminPaths.signIn);
    const isKnown = isKnownDevice(req, res, user);
    // An attacker with the password can lock only its own network, and no known device in it. The limit by user counts the
    // codes of new devices, against guesses from many networks.
    const sender = clientFor(`${user.id} ${isKnown ? 'known' : 'new'}`, clientOf(req));
    const seconds = await limiters.code.count(sender);
    if (seconds !== undefined) throw tooManyAttempts(res, 'admin_code', seconds);
    const secondsOfUser = isKnown ? undefined : await limiters.codes.count(user.id);
    if (secondsOfUser !== undefined) throw tooManyAttempts(res, 'admin_name', secondsOfUser);
    const recoveryCode = recoveryCodeHash(postedText(req, 'code'));
    const problem = await (recoveryCode === undefined
      ? findProblem(req, res, user)
      : spendRecoveryCode(res, user, recoveryCode));
    if (problem) return refuseSignIn(res, user, problem, pageOf(recoveryCode !== undefined));
    await limiters.code.reset(sender);
    await limiters.codes.reset(user.id);
    return signIn(req, res, user);
  }

  app.get(secondFactorPaths.code, sendPage);
  app.post(secondFactorPaths.code, checkCode);
}

const pageOf = (isRecovery: boolean) => (isRecovery ? `${secondFactorPaths.code}?recovery=1` : secondFactorPaths.code);

/** Returns why the posted code of an authenticator app is refused, or `undefined`. */
async function findProblem(req: Request, res: Response, user: AdminUser): Promise<SignInResult | undefined> {
  const { checkout } = contextOf(res);
  const { clock, db, log } = checkout;
  const secret = secretOf(res, user);
  if (secret === undefined) {
    log.error('admin.second_factor_unreadable', { user: user.name });
    return 'unreadable_factor';
  }
  const step = totpStepOf(secret, postedText(req, 'code'), clock.now());
  return step !== undefined && (await useTotpStep(db.queries, user.id, step)) ? undefined : 'wrong_code';
}

/** Of parallel requests with one recovery code, one gets `undefined`: it is not refused. */
function spendRecoveryCode(
  res: Response,
  { id: userId, name: by }: AdminUser,
  hash: string,
): Promise<SignInResult | undefined> {
  const { db, clock } = contextOf(res).checkout;
  return db.transaction(async (queries) => {
    if (!(await useRecoveryCode(queries, userId, hash))) return 'wrong_code';
    await recordUserEvent(queries, { userId, at: clock.now(), by, kind: 'recovery_code_used' });
    return undefined;
  });
}

/** Returns `undefined` if the stored secret cannot be decrypted. */
function secretOf(res: Response, { id, totpSecret }: AdminUser): string | undefined {
  return totpSecret === null ? undefined : openTotpSecret(totpSecret, id, contextOf(res).secrets.sessionSecrets);
}

async function sendPage(req: Request, res: Response): Promise<void> {
  const { t } = contextOf(res);
  const user = await findSessionUser(req, res, { needsCode: true });
  // The time for the code is over.
  if (!user) return res.redirect(303, adminPaths.signIn);
  const isRecovery = req.query['recovery'] !== undefined;
  const problem = isRecovery || secretOf(res, user) !== undefined ? 'wrongCode' : 'unreadable';
  const refusal = problem === 'unreadable' ? 409 : 401;
  return render(res, 'second-factor/views/code', {
    title: t('admin.signIn.title'),
    status: isAnswer(req) ? refusal : 200,
    path: secondFactorPaths.code,
    // The message of an unreadable secret names the command, which works without another manager.
    page: { path: secondFactorPaths.code, isRecovery, error: isAnswer(req) && t(`secondFactor.signIn.${problem}`) },
  });
}
