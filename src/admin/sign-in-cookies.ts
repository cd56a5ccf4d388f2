import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AdminUser } from '../db/admin-users.js';
import { isSameSecret } from '../web/middleware/request-checks.js';
import { adminPaths } from '../web/paths.js';
import { contextOf } from '../web/request-context.js';

const DEVICE_COOKIE = 'tianguis-admin-device';
const DEVICE_LIFETIME_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * Device cookies (OWASP): a browser from which a user signed in before is exempt from the limit by name, and its password
 * is checked first. Otherwise other clients could lock the user out with wrong passwords.
 */
export function isKnownDevice(req: Request, res: Response, user: AdminUser): boolean {
  const given = new RegExp(`(?:^|;\\s*)${DEVICE_COOKIE}=([\\w-]+)`).exec(req.headers.cookie ?? '')?.[1];
  if (given === undefined) return false;
  return contextOf(res).secrets.sessionSecrets.some((secret) => isSameSecret(given, deviceMark(secret, user)));
}

export function setDeviceCookie(res: Response, user: AdminUser): void {
  res.cookie(DEVICE_COOKIE, deviceMark(contextOf(res).secrets.sessionSecrets[0], user), {
    path: adminPaths.overview,
    httpOnly: true,
    sameSite: 'strict',
    secure: contextOf(res).config.publicUrl.startsWith('https:'),
    maxAge: DEVICE_LIFETIME_MS,
  });
}

function deviceMark(sessionSecret: string, { id }: AdminUser): string {
  return createHmac('sha256', sessionSecret).update(`admin-device:${id}`).digest('base64url');
}
