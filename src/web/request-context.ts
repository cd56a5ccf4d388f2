import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { AdminAccess } from '../admin/permissions.js';
import type { CheckoutContext } from '../checkout/context.js';
import type { Order } from '../db/orders.js';
import type { Locale } from '../domain/locale.js';
import type { Translate } from '../locales/translations.js';
import type { WebContext } from './context.js';

/** `res.locals` of every request. The middleware `requestContext` sets it. */
export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly t: Translate;
  /** Number of the order of this request. `logOrderNumber` sets it. */
  order?: string;
  /** User of the back office. `requireSignIn` sets it. */
  admin?: AdminAccess;
}

/** Returns `res.locals` with its type. */
export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext;
}

/** Returns the checkout context with a log that adds the request id to each line. */
export function checkoutFor(
  { checkout }: { readonly checkout: CheckoutContext },
  res: Response,
): CheckoutContext {
  return { ...checkout, log: checkout.log.with({ requestId: contextOf(res).requestId }) };
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
export function requestContext({ checkout, settings, translations }: WebContext): RequestHandler {
  const chooseLocale = localeChooser(settings.locales);
  const { observer, log } = checkout;
  return (req, res, next) => {
    const startedAt = performance.now();
    const locale = chooseLocale(req);
    const context: RequestContext = { requestId: randomUUID(), locale, t: translations.in(locale) };
    Object.assign(res.locals, context);
    res.vary('Accept-Language').vary('Cookie');
    res.set({ 'Content-Language': locale, 'X-Request-Id': context.requestId });
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const status = res.writableFinished ? res.statusCode : 499;
      const route = routePattern(req, res);
      const { requestId, order } = contextOf(res);
      observer.requestEnded(routeClass(route), status, ms);
      log.info('request.completed', {
        requestId,
        method: req.method,
        route,
        status,
        durationMs: Math.round(ms),
        order,
      });
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

/** Returns the metrics label of a route pattern. */
function routeClass(pattern: string): string {
  return CLASSES.find(([form]) => form.test(pattern))?.[1] ?? 'other';
}
