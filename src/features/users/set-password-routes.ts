import { redirectToClean } from '@tianguis/payments';
import { findByToken } from '@tianguis/payments/rules';
import type { Request, RequestHandler, Response } from 'express';
import { hashPassword } from '../../admin/credentials.js';
import { type AdminUser, recordUserEvent, updateAdminUser } from '../../tables/admin-users.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import { clientOf } from '../../web/client-address.js';
import { errorList, readForm } from '../../web/form.js';
import { fieldModels } from '../../web/form-page.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { noStore } from '../../web/middleware/security-headers.js';
import { adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, localsOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { answerPath, isAnswer } from '../../web/typed-form.js';
import type { WebContext } from '../../web/web-context.js';
import { setPasswordPath, usersPaths } from './paths.js';
import { hashOf } from './random-codes.js';
import { deleteLink, findLinkUser } from './repository.js';
import { newPasswordFields, PASSWORD_LIMITS } from './user-fields.js';

/** Hides the link from the logs of a proxy too. Forms still send `Origin`, which `no-referrer` would prevent. */
export const hideLink: RequestHandler = (_req, res, next) => {
  localsOf(res).isBackOffice = true;
  res.set({ 'Referrer-Policy': 'strict-origin', 'X-Robots-Tag': 'noindex' });
  next();
};

/** The page of a link with which a user of the back office sets the password once. Opening it writes nothing. */
export function setPasswordRoutes({ checkout }: WebContext): readonly Route[] {
  const limiter = checkout.db.limiter({ name: 'admin_link', max: 10, seconds: 600 });
  const before = [noStore, hideLink];
  return [
    { get: usersPaths.setPassword, before, handler: (req, res) => sendLink(req, res, limiter) },
    { post: usersPaths.setPassword, before, handler: (req, res) => setPassword(req, res, limiter) },
  ];
}

async function sendLink(req: Request, res: Response, limiter: ClientLimiter): Promise<void> {
  const link = await findLink(req, res, limiter);
  if (!link) return sendEnded(res);
  if (redirectToClean(res, link.token)) return;
  return sendForm(req, res, link.user);
}

interface Link {
  readonly user: AdminUser;
  readonly token: string;
}

/** Ten unknown links of an address in 10 min, as with failed sign-ins. Throws `too_many_attempts`. */
async function findLink(req: Request, res: Response, limiter: ClientLimiter): Promise<Link | undefined> {
  const { db, clock } = contextOf(res).checkout;
  const client = clientOf(req);
  const seconds = await limiter.count(client);
  if (seconds !== undefined) throw tooManyAttempts(res, 'admin_address', seconds);
  const link = await findByToken(tokenOf(req), async (token) => {
    const user = await findLinkUser(db.queries, hashOf(token), clock.now());
    return user && { user, token };
  });
  if (link) await limiter.uncount(client);
  return link;
}

async function setPassword(req: Request, res: Response, limiter: ClientLimiter): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const page = setPasswordPath(tokenOf(req));
  const link = await findLink(req, res, limiter);
  if (!link) return res.redirect(303, answerPath(page));
  const form = readForm(res, FIELDS);
  if (form.refused) {
    const problem = form.refused.errors.some(({ field }) => field === FIELDS_OF_PROBLEMS.length) ? 'length' : 'differ';
    return res.redirect(303, answerPath(`${page}?problem=${problem}`));
  }
  const passwordHash = await hashPassword(form.values.new_password);
  const { user } = link;
  const hash = hashOf(link.token);
  const isSet = await db.transaction(async (queries) => {
    const at = clock.now();
    // The user may have been disabled during the hash.
    const present = await findLinkUser(queries, hash, at);
    if (!present || !(await deleteLink(queries, hash))) return false;
    await updateAdminUser(queries, present.name, { passwordHash, mustChangePassword: 0, updatedAt: at });
    await recordUserEvent(queries, { userId: present.id, at, by: present.name, kind: 'password_set' });
    return true;
  });
  if (!isSet) return res.redirect(303, answerPath(page));
  log.info('admin.user_changed', { kind: 'password_set', user: user.name });
  res.redirect(303, adminPaths.signIn);
}

function tokenOf(req: Request): string {
  return String(req.params['token']);
}

const FIELDS = newPasswordFields('users.setPassword.hint');

/** The problems of a password, with the field that shows each. The address of the page names the problem, and no text. */
const FIELDS_OF_PROBLEMS = { length: 'new_password', differ: 'new_password_again' } as const;
const PROBLEMS = ['length', 'differ'] as const satisfies readonly (keyof typeof FIELDS_OF_PROBLEMS)[];

function sendForm(req: Request, res: Response, { name }: AdminUser): Promise<void> {
  const { t } = contextOf(res);
  const problem = isAnswer(req) ? PROBLEMS.find((each) => each === req.query['problem']) : undefined;
  const message = problem && t(`users.account.problems.${problem}`, PASSWORD_LIMITS);
  const errors = problem ? errorList({ [FIELDS_OF_PROBLEMS[problem]]: message }) : [];
  const fields = fieldModels(t, FIELDS, { typed: {}, errors });
  const page = { intro: t('users.setPassword.intro', { name }), name, errors, fields };
  return render(res, 'users/views/set-password', {
    title: t('users.setPassword.title'),
    hasErrors: errors.length > 0,
    page,
  });
}

/** The page is the same for a used, expired, replaced or unknown link. */
function sendEnded(res: Response): Promise<void> {
  const { t } = contextOf(res);
  const page = { intro: t('users.setPassword.endedText'), name: undefined, errors: [], fields: [] };
  return render(res, 'users/views/set-password', { title: t('users.setPassword.ended'), status: 404, page });
}
