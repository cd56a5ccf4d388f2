import { setTimeout as delay } from 'node:timers/promises';
import { errorName } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { isAdminName } from '../../shop/rules/admin-user.js';
import { findAdminUserByName } from '../../tables/admin-users.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import { clientOf } from '../../web/client-address.js';
import { postedText } from '../../web/form-body.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { noStore } from '../../web/middleware/security-headers.js';
import { adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import type { WebContext } from '../../web/web-context.js';
import { usersPaths } from './paths.js';
import { hideLink } from './set-password-routes.js';
import { mailNewPasswordLink } from './user-access.js';

/** Longer than the lookup of a user, so that the response time does not reveal which names exist. */
const ANSWER_MS = 250;

/** The page that mails a user with an address a link for a new password. The answer is the same for all names. */
export function forgottenPasswordRoutes({ checkout }: WebContext): readonly Route[] {
  const { limiter } = checkout.db;
  const limiters = {
    clients: limiter({ name: 'admin_forgotten', max: 10, seconds: 600 }),
    mails: limiter({ name: 'admin_forgotten_mail', max: 3, seconds: 3_600 }),
  };
  const before = [noStore, hideLink];
  return [
    { get: usersPaths.forgottenPassword, before, handler: sendPage },
    { post: usersPaths.forgottenPassword, before, handler: (req, res) => requestLink(req, res, limiters) },
  ];
}

type Limiters = Readonly<Record<'clients' | 'mails', ClientLimiter>>;

async function requestLink(req: Request, res: Response, { clients, mails }: Limiters): Promise<void> {
  const seconds = await clients.count(clientOf(req));
  if (seconds !== undefined) throw tooManyAttempts(res, 'admin_address', seconds);
  await Promise.all([mailLink(res, postedText(req, 'name').trim(), mails), delay(ANSWER_MS)]);
  res.redirect(303, `${usersPaths.forgottenPassword}?sent=1`);
}

async function mailLink(res: Response, name: string, mails: ClientLimiter): Promise<void> {
  const { db, log } = contextOf(res).checkout;
  const user = isAdminName(name) ? await findAdminUserByName(db.queries, name) : undefined;
  if (!user || user.disabledAt !== null || user.email === null) return;
  if ((await mails.count(user.id)) !== undefined) return;
  log.info('admin.link_requested', { user: user.name });
  // Not awaited, because the mail server would delay the answer for users with an address.
  mailNewPasswordLink(res, user).catch((error: unknown) =>
    log.error('admin.link_failed', { reason: errorName(error) }),
  );
}

function sendPage(req: Request, res: Response): Promise<void> {
  const { t } = contextOf(res);
  const page = {
    isSent: req.query['sent'] === '1',
    fields: [{ name: 'name', label: t('admin.signIn.name'), autocomplete: 'username', isRequired: true, value: '' }],
    signIn: adminPaths.signIn,
  };
  return render(res, 'users/views/forgotten-password', { title: t('users.forgotten.title'), page });
}
