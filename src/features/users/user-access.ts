/** How a user gets a password that no other person sets: a link by mail, or a first password that the page shows once. */
import { randomBytes } from 'node:crypto';
import { withDeadline } from '@tianguis/payments/operations';
import { errorName, ORDER_TOKEN_BYTES, orderToken } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { hashPassword, LOW_COST } from '../../admin/credentials.js';
import type { AdminUser } from '../../tables/admin-users.js';
import type { Db } from '../../tables/database.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { adminUserPath, setPasswordPath } from './paths.js';
import { hashOf, newCode } from './random-codes.js';
import { insertLink } from './repository.js';

const HOUR_MS = 60 * 60 * 1000;
/** Of an invitation, or of the reset by a manager. */
const LINK_LIFETIME_MS = 72 * HOUR_MS;
/** Of a link that a user asked for. */
const ASKED_LIFETIME_MS = HOUR_MS;
/** Below the limit of a request. A mail server that answers later may still send the mail. */
const MAIL_DEADLINE_MS = 10_000;

export interface UserAccess {
  readonly email: string | null;
  /** To store. With a link, it is the hash of a password that is never shown. */
  readonly passwordHash: string;
  readonly mustChangePassword: number;
  /** First password, to be shown once. Absent with a link. */
  readonly password: string | undefined;
  /** Secret part of the link, which only the mail holds. */
  readonly token: string;
}

type Link = Pick<UserAccess, 'email' | 'token'>;

/** Creates a link if the user has an address, otherwise a first password. */
export async function createAccess(email: string | null): Promise<UserAccess> {
  const password = newCode();
  const passwordHash = await hashPassword(password, LOW_COST);
  const token = orderToken(randomBytes(ORDER_TOKEN_BYTES));
  if (email === null) return { email, passwordHash, mustChangePassword: 1, password, token };
  return { email, passwordHash, mustChangePassword: 0, password: undefined, token };
}

/** Mails a user a link for a new password, which works for an hour. The present password works until the link is used. */
export async function mailNewPasswordLink(
  res: Response,
  user: Pick<AdminUser, 'id' | 'name' | 'email'>,
): Promise<void> {
  const { db, clock } = contextOf(res).checkout;
  const { email, id, name } = user;
  const token = orderToken(randomBytes(ORDER_TOKEN_BYTES));
  const until = clock.now() + ASKED_LIFETIME_MS;
  await insertLink(db.queries, { hash: hashOf(token), userId: id, expiresAt: until });
  await mailLink(res, name, { email, token }, until);
}

/** Stores the hash of the link. Call it in the transaction that stores the password. */
export async function storeLink(queries: Db, access: UserAccess, userId: string, at: number): Promise<void> {
  if (access.email !== null)
    await insertLink(queries, { hash: hashOf(access.token), userId, expiresAt: at + LINK_LIFETIME_MS });
}

/** Mails the link and redirects to the user, or shows the first password. */
export async function sendAccess(res: Response, name: string, access: UserAccess, at: number): Promise<void> {
  const { t } = contextOf(res);
  if (access.password === undefined) {
    const isMailed = await mailLink(res, name, access, at + LINK_LIFETIME_MS);
    return res.redirect(303, `${adminUserPath({ name })}?result=${isMailed ? 'mailed' : 'mail_failed'}`);
  }
  const title = t('users.onceTitle', { name });
  const next = { href: adminUserPath({ name }), label: t('users.backToUser') };
  const page = { heading: title, hint: t('users.onceHint'), secrets: [access.password], next };
  return render(res, 'users/views/shown-once', { title, page, path: adminUserPath({ name }) });
}

/** The link is in no queue, because a queue would store its secret part. A manager sends another one after a failure. */
async function mailLink(res: Response, name: string, { email, token }: Link, until: number): Promise<boolean> {
  const { sendMail, locale, checkout } = contextOf(res);
  const send = () =>
    sendMail({ to: email ?? '', locale }, `access:${name}:${until}`, ({ t, moment }, urlOf) => {
      const shop = t('site.name');
      const text = t('users.setPassword.mailText', { name, shop });
      return {
        subject: t('users.setPassword.mailSubject', { shop }),
        preview: text,
        heading: t('users.setPassword.mailHeading'),
        paragraphs: [text, t('users.setPassword.mailUntil', { time: moment(until) })],
        link: { label: t('users.setPassword.mailHeading'), href: urlOf(setPasswordPath(token)) },
        closing: t('users.setPassword.mailClosing'),
      };
    });
  try {
    await withDeadline(MAIL_DEADLINE_MS, send);
    return true;
  } catch (error) {
    checkout.log.warn('admin.link_failed', { reason: errorName(error) });
    return false;
  }
}
