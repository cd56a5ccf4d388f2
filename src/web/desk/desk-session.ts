import type { Request, RequestHandler } from 'express';
import type { WebServices } from '../services.js';
import { databaseSession, settleSession } from '../session.js';
import type { DeskPassword } from './desk-password.js';

declare module 'express-session' {
  interface SessionData {
    desk?: { readonly since: number; readonly mark: string };
  }
}

/** A visit at the desk ends after this, whoever works at it. */
const VISIT_MS = 8 * 60 * 60 * 1000;

export const SIGN_IN_PATH = '/admin/sign-in';

/** The desk's own session: another cookie than the shopper's, sent to the desk alone and from no other site. */
export function deskSession({ checkout, settings }: WebServices): RequestHandler {
  return databaseSession(settings, {
    db: checkout.db,
    clock: checkout.clock,
    cookie: { name: 'tianguis-desk', path: '/admin', sameSite: 'strict', lifetimeMs: VISIT_MS },
  });
}

/** Lets through who has signed in with today's password; everyone else is led to the sign-in. */
export function requireSignIn({ checkout }: WebServices, password: DeskPassword): RequestHandler {
  return (req, res, next) => {
    const { desk } = req.session;
    const now = checkout.clock.now();
    const valid = desk?.mark === password.mark && now >= desk.since && now - desk.since < VISIT_MS;
    if (valid) next();
    else res.redirect(303, SIGN_IN_PATH);
  };
}

/** Begins a visit under a new session id. */
export async function beginVisit(req: Request, visit: { since: number; mark: string }): Promise<void> {
  await settleSession((done) => req.session.regenerate(done));
  req.session.desk = visit;
  await settleSession((done) => req.session.save(done));
}

export async function endVisit(req: Request): Promise<void> {
  await settleSession((done) => req.session.destroy(done));
}
