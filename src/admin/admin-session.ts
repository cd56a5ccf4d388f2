import type { Request, RequestHandler } from 'express';
import type { WebContext } from '../web/context.js';
import { callSession, databaseSession } from '../web/session.js';
import type { AdminPassword } from './admin-password.js';

declare module 'express-session' {
  interface SessionData {
    admin?: { readonly since: number; readonly mark: string };
  }
}

/** An admin session ends after 8 hours, even if it is in use. */
const ADMIN_SESSION_MS = 8 * 60 * 60 * 1000;

/** Path of the sign-in page. */
export const SIGN_IN_PATH = '/admin/sign-in';

/** Session middleware for admin users. Its cookie is separate, limited to `/admin` and `SameSite=Strict`. */
export function adminSession({ checkout, settings }: WebContext): RequestHandler {
  return databaseSession(settings, {
    db: checkout.db,
    clock: checkout.clock,
    cookie: { name: 'tianguis-admin', path: '/admin', sameSite: 'strict', lifetimeMs: ADMIN_SESSION_MS },
  });
}

/** Redirects to the sign-in page unless the session is valid and was created with the current password. */
export function requireSignIn({ checkout }: WebContext, password: AdminPassword): RequestHandler {
  return (req, res, next) => {
    const { admin } = req.session;
    const now = checkout.clock.now();
    const valid = admin?.mark === password.mark && now >= admin.since && now - admin.since < ADMIN_SESSION_MS;
    if (valid) next();
    else res.redirect(303, SIGN_IN_PATH);
  };
}

/** Starts an admin session under a new session id, against session fixation. Throws `session_unavailable`. */
export async function startAdminSession(req: Request, admin: { since: number; mark: string }): Promise<void> {
  await callSession((done) => req.session.regenerate(done));
  req.session.admin = admin;
  await callSession((done) => req.session.save(done));
}

/** Deletes the admin session. Throws `session_unavailable`. */
export async function endAdminSession(req: Request): Promise<void> {
  await callSession((done) => req.session.destroy(done));
}
