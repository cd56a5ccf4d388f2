import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import { localPath } from '../shop/rules/local-path.js';
import type { AdminUser } from '../tables/admin-users.js';
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
  const given = readCookie(req, DEVICE_COOKIE);
  if (given === undefined) return false;
  return contextOf(res).secrets.sessionSecrets.some((secret) => isSameSecret(given, deviceMark(secret, user)));
}

export function setDeviceCookie(res: Response, user: AdminUser): void {
  const mark = deviceMark(contextOf(res).secrets.sessionSecrets[0], user);
  setCookie(res, DEVICE_COOKIE, { value: mark, path: adminPaths.overview, maxAge: DEVICE_LIFETIME_MS });
}

function deviceMark(sessionSecret: string, { id }: AdminUser): string {
  return createHmac('sha256', sessionSecret).update(`admin-device:${id}`).digest('base64url');
}

const NAME_COOKIE = 'tianguis-admin-name';
const NAME_LIFETIME_MS = 10 * 60 * 1000;
/** In characters. A cookie has at most 4 KB. */
const LONGEST_NAME = 100;

/**
 * Keeps the typed name for the page of a refused sign-in. Only the browser has it, because it may be a password in the wrong
 * field, and because there is no session yet.
 */
export function setTypedName(res: Response, name: string): void {
  const value = Buffer.from(name.slice(0, LONGEST_NAME)).toString('base64url');
  setCookie(res, NAME_COOKIE, { value, path: adminPaths.signIn, maxAge: NAME_LIFETIME_MS });
}

/** Returns the name of the refused sign-in, or an empty text. */
export function typedNameOf(req: Request): string {
  return Buffer.from(readCookie(req, NAME_COOKIE) ?? '', 'base64url').toString();
}

export function forgetTypedName(res: Response): void {
  setCookie(res, NAME_COOKIE, { value: '', path: adminPaths.signIn, maxAge: 0 });
}

const RETURN_COOKIE = 'tianguis-admin-return';
const RETURN_LIFETIME_MS = 60 * 60 * 1000;

/** Stores the page to which the sign-in returns. Only the browser has it, because there is no session yet. */
export function setReturnPath(res: Response, path: string): void {
  const value = Buffer.from(path).toString('base64url');
  setCookie(res, RETURN_COOKIE, { value, path: adminPaths.overview, maxAge: RETURN_LIFETIME_MS });
}

/** Returns the page to which the sign-in returns, once. Without one it is the overview. */
export function takeReturnPath(req: Request, res: Response): string {
  const path = localPath(Buffer.from(readCookie(req, RETURN_COOKIE) ?? '', 'base64url').toString());
  setCookie(res, RETURN_COOKIE, { value: '', path: adminPaths.overview, maxAge: 0 });
  return isAdminPath(path) ? path : adminPaths.overview;
}

/** Returns the page that a request is about: its own, or that of its form. `undefined`: the overview, or none. */
export function pageOf({ method, originalUrl, headers: { referer = '' } }: Request): string | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  const path = localPath(isRead ? originalUrl : referer.replace(/^[a-z]+:\/\/[^/]+/, ''));
  return isAdminPath(path) && path !== adminPaths.overview ? path : undefined;
}

function isAdminPath(path: string): boolean {
  return /^\/admin(?:$|[/?])/.test(path) && !path.startsWith(adminPaths.signIn);
}

function readCookie({ headers }: Request, name: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
}

function setCookie(
  res: Response,
  name: string,
  { value, ...options }: { readonly value: string; readonly path: string; readonly maxAge: number },
): void {
  const secure = contextOf(res).config.publicUrl.startsWith('https:');
  res.cookie(name, value, { ...options, httpOnly: true, sameSite: 'strict', secure });
}
