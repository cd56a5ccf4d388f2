import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Order } from '../db/orders.js';
import type { Role } from '../domain/admin-user.js';
import type { Locale } from '../domain/locale.js';
import type { Translate } from '../locales/translations.js';
import type { WebContext } from './context.js';

/** Locale and messages of a page. */
export interface I18n {
  readonly locale: Locale;
  readonly t: Translate;
}

/** `res.locals` of every request: the dependencies, and what belongs to the request. */
export interface RequestContext extends WebContext, I18n {
  /** Number of the order of this request. `logOrderNumber` sets it. */
  order?: string;
  /** User of the back office. `requireSignIn` sets it. */
  admin?: AdminAccess;
}

/** The signed-in user, for routes and views. */
export interface AdminAccess {
  readonly name: string;
  readonly role: Role;
  /** Whether the user may use a route such as `GET /admin`. Views hide the buttons of other routes. */
  readonly can: (route: string) => boolean;
}

/** Returns `res.locals` with its type. The log of `checkout` adds the request id to each line. */
export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext;
}

/** Adds the order number to the log line of the request. */
export function logOrderNumber(res: Response, order: Pick<Order, 'number'>): void {
  contextOf(res).order = order.number;
}

/** Cookie with the locale that the customer selected. */
export const LANGUAGE_COOKIE = 'lang';

/**
 * Sets `res.locals` and logs one line when the request ends. The line holds the route pattern, never the path.
 * The request id is always generated here. An id from a client could repeat that of another request.
 */
export function requestContext(web: WebContext): RequestHandler {
  const chooseLocale = localeChooser(web.settings.locales);
  return (req, res, next) => {
    const startedAt = performance.now();
    const locale = chooseLocale(req);
    const requestId = randomUUID();
    const checkout = { ...web.checkout, log: web.checkout.log.with({ requestId }) };
    Object.assign(res.locals, web, { checkout, locale, t: web.translations.in(locale) });
    res.vary('Accept-Language').vary('Cookie');
    res.set({ 'Content-Language': locale, 'X-Request-Id': requestId });
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const status = res.writableFinished ? res.statusCode : 499;
      const route = routePattern(req, res);
      checkout.observer.requestEnded(CLASSES.find(([form]) => form.test(route))?.[1] ?? 'other', status, ms);
      const { order } = contextOf(res);
      const fields = { method: req.method, route, status, durationMs: Math.round(ms), order };
      checkout.log.info('request.completed', fields);
    });
    next();
  };
}

/** Locale order: the cookie, then `Accept-Language`, then the first locale of the shop. */
function localeChooser(locales: WebContext['settings']['locales']): (req: Request) => Locale {
  // The bare language also matches, so that `es-AR` gets `es-MX`.
  const byName = new Map<string, Locale>(
    locales.flatMap((locale) => [locale, ...locale.split('-').slice(0, 1)].map((name) => [name, locale])),
  );
  const names = [...byName.keys()];
  return (req) => {
    const chosen = /(?:^|;\s*)lang=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1];
    const byHand = locales.find((locale) => locale === chosen);
    const accepted = byHand ?? req.acceptsLanguages(...names);
    return byName.get(accepted || '') ?? locales[0];
  };
}

function routePattern(req: Request, res: Response): string {
  const route = req.route as { readonly path?: unknown } | undefined;
  if (typeof route?.path === 'string') return route.path;
  return res.statusCode === 404 ? 'none' : 'middleware';
}

/** Metrics label of a route, by the first part of its pattern. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:products\/.*)?$/, 'catalog'],
  [/^\/cart/, 'cart'],
  [/^\/checkout\/return/, 'return'],
  [/^\/checkout/, 'checkout'],
  [/^\/orders/, 'order'],
  [/^\/webhooks/, 'webhook'],
  [/^\/admin/, 'admin'],
  [/^\/(?:healthz|readyz|metrics)$/, 'probe'],
];
