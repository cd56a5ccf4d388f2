import type { Request, RequestHandler, Response } from 'express';
import { type AdminUser, findAdminUser } from '../tables/admin-users.js';
import { adminPaths } from '../web/paths.js';
import { contextOf, localsOf } from '../web/request-context.js';
import { callSession, databaseSession } from '../web/session.js';
import type { WebContext } from '../web/web-context.js';
import { accessOf } from './permissions.js';
import { pageOf, setReturnPath } from './sign-in-cookies.js';

interface StoredAdmin {
  readonly since: number;
  readonly userId: string;
  /** Session version of the user. A later version ends the session. */
  readonly version: number;
  /** The password was correct, and the code of the second factor is missing. */
  readonly needsCode: boolean;
}

declare module 'express-session' {
  interface SessionData {
    admin?: StoredAdmin;
  }
}

/** An admin session ends after 8 hours, even if it is in use. */
const ADMIN_SESSION_MS = 8 * 60 * 60 * 1000;
/** Time between password and code. */
const CODE_MS = 5 * 60 * 1000;
/** The clocks of two machines may differ by this (docs/running.md). The next request may reach the one that is behind. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** Session middleware for admin users. Its cookie is separate, limited to `/admin` and `SameSite=Strict`. */
export function adminSession(web: WebContext): RequestHandler {
  const cookie = { path: adminPaths.overview, sameSite: 'strict', maxAge: ADMIN_SESSION_MS } as const;
  return databaseSession(web, 'tianguis-admin', cookie);
}

/**
 * Redirects to the sign-in page unless a user is signed in, and to the form for a new password while it is a first one. The
 * sign-in returns to the page.
 */
export const requireSignIn: RequestHandler = async (req, res, next) => {
  const user = await findSessionUser(req, res, { needsCode: false });
  if (!user) {
    const page = pageOf(req);
    setReturnPath(res, page ?? adminPaths.overview);
    return res.redirect(303, page ? `${adminPaths.signIn}?return=1` : adminPaths.signIn);
  }
  const admin = accessOf(user);
  localsOf(res).admin = admin;
  const { newPasswordPages: [form, ...others] = [] } = contextOf(res);
  const open = [form, ...others, adminPaths.signOut];
  if (form && user.mustChangePassword === 1 && !open.includes(req.baseUrl + req.path)) return res.redirect(303, form);
  next();
};

/** Reads who is signed in, for a page that is shown without a sign-in too. */
export const readSignIn: RequestHandler = async (req, res, next) => {
  const user = await findSessionUser(req, res, { needsCode: false });
  if (user) localsOf(res).admin = accessOf(user);
  next();
};

/**
 * Returns the user of a session that is signed in, or of one that needs the code. `undefined` if the session has ended,
 * or if the user was disabled or changed since its sign-in.
 */
export async function findSessionUser(
  { session: { admin } }: Request,
  res: Response,
  { needsCode }: { readonly needsCode: boolean },
): Promise<AdminUser | undefined> {
  const { clock, db } = contextOf(res).checkout;
  const now = clock.now();
  const lifetimeMs = needsCode ? CODE_MS : ADMIN_SESSION_MS;
  if (!admin || admin.needsCode !== needsCode) return undefined;
  const age = now - admin.since;
  if (age < -CLOCK_DIFFERENCE_MS || age >= lifetimeMs) return undefined;
  const user = await findAdminUser(db.queries, admin.userId);
  return user?.disabledAt === null && user.sessionVersion === admin.version ? user : undefined;
}

/**
 * Starts an admin session under a new session id, against session fixation. The session of the old id ends at once, so that
 * a sign-out leaves none. Throws `session_unavailable`.
 */
export async function startAdminSession(
  req: Request,
  { id, sessionVersion }: AdminUser,
  { since, needsCode }: Pick<StoredAdmin, 'since' | 'needsCode'>,
): Promise<void> {
  const { sessionID: before, sessionStore } = req;
  await callSession((done) => req.session.regenerate(done));
  req.session.admin = { since, userId: id, version: sessionVersion, needsCode };
  await callSession((done) => req.session.save(done));
  await callSession((done) => sessionStore.destroy(before, done));
}

/** Deletes the admin session. Throws `session_unavailable`. */
export async function endAdminSession(req: Request): Promise<void> {
  await callSession((done) => req.session.destroy(done));
}
