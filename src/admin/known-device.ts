/**
 * Device cookies (OWASP): a browser from which a user signed in before is exempt from the limit by name. Otherwise other
 * clients could lock the user out by guessing.
 */
import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AdminUser } from '../db/admin-users.js';
import type { WebSettings } from '../web/context.js';
import { isSameSecret } from '../web/middleware/request-checks.js';

const COOKIE = 'tianguis-admin-device';
const LIFETIME_MS = 180 * 24 * 60 * 60 * 1000;

export function isKnownDevice(req: Request, user: AdminUser | undefined, settings: WebSettings): boolean {
  const given = new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(req.headers.cookie ?? '')?.[1];
  return user !== undefined && given !== undefined && isSameSecret(given, markOf(user, settings));
}

export function rememberDevice(res: Response, user: AdminUser, settings: WebSettings): void {
  const secure = settings.publicUrl.startsWith('https:');
  res.cookie(COOKIE, markOf(user, settings), {
    ...{ path: '/admin', httpOnly: true, sameSite: 'strict', secure, maxAge: LIFETIME_MS },
  });
}

function markOf({ id }: AdminUser, { sessionSecret }: WebSettings): string {
  return createHmac('sha256', sessionSecret).update(`admin-device:${id}`).digest('base64url');
}
