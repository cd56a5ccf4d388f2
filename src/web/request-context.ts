import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type I18n, i18nIn } from '../locales/i18n.js';
import type { CurrentShop } from '../settings/current-shop.js';
import type { Role } from '../shop/rules/admin-user.js';
import type { Locale } from '../shop/rules/locale.js';
import type { Order } from '../tables/orders.js';
import { postedText } from './form-body.js';
import { localeOf, localePath } from './locale-path.js';
import type { AdminLink, WebContext } from './web-context.js';

/** Locale, messages, formats and addresses of a page, for handlers and views. */
export interface PageI18n extends I18n {
  /** Returns the path of a page in this locale. Only public pages have one address per locale. */
  publicPath(path: string): string;
}

/** The dependencies, with the log of the request, and the locale of the page. */
export interface RequestContext extends WebContext, CurrentShop, PageI18n {}

/** `res.locals` of every request. */
interface RequestLocals {
  context: RequestContext;
  /** The order of the token in the path. `loadOrder` sets it. */
  order?: Order;
  /** Number of the order of this request, for the log. `logOrderNumber` sets it. */
  orderNumber?: string;
  /** Status of a failure whose page has an address of its own. The log and the metrics have it in place of the redirect. */
  failedStatus?: number;
  /** A request of a monitoring program. Its success is logged at debug, because a proxy may send one each second. */
  isProbe?: boolean;
  /** The page belongs to the back office, although its path does not. */
  isBackOffice?: boolean;
  /** User of the back office. `requireSignIn` sets it. */
  admin?: AdminAccess;
}

/** The signed-in user, for routes and views. */
export interface AdminAccess {
  readonly name: string;
  readonly role: Role;
  /** Whether the shop has a route such as `GET /admin` and the user may use it. Views hide the buttons of other routes. */
  readonly can: (route: string) => boolean;
  /** Returns the links of this place to routes that the user may use. */
  readonly links: (on: AdminLink['on']) => readonly AdminLink[];
}

/** Returns `res.locals` with its type. */
export function localsOf(res: Response): RequestLocals {
  return res.locals as RequestLocals;
}

/** Returns the context of the request. The log of `checkout` adds the request id to each line. */
export function contextOf(res: Response): RequestContext {
  return localsOf(res).context;
}

/** Adds the order number to the log line of the request. */
export function logOrderNumber(res: Response, order: Pick<Order, 'number'>): void {
  localsOf(res).orderNumber = order.number;
}

/** Marks the request as one of a monitoring program. */
export function markProbe(res: Response): void {
  localsOf(res).isProbe = true;
}

/** Cookie with the locale that the customer selected. */
const LANGUAGE_COOKIE = 'lang';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Sets the context and logs one line when the request ends. The line holds the route pattern, never the path.
 * The request id is always generated here. An id from a client could repeat that of another request.
 */
export function requestContext(web: WebContext): RequestHandler {
  const chooseLocale = localeChooser(web.config.locales);
  return (req, res, next) => {
    const startedAt = performance.now();
    const { locales } = web.config;
    const addressed = localeOf(locales, req.path);
    const locale = addressed ?? chooseLocale(req);
    const requestId = randomUUID();
    const log = web.checkout.log.with({ requestId });
    const checkout = { ...web.checkout, log, payments: web.checkout.payments.withLog(log) };
    const shop = web.settings.current();
    localsOf(res).context = { ...withSettings({ ...web, checkout }, shop), ...i18nOf(web.config, shop, locale) };
    res.set('Content-Language', locale);
    res.vary('Cookie');
    if (!addressed) res.vary('Accept-Language');
    res.set('X-Request-Id', requestId);
    res.once('close', () => {
      const ms = performance.now() - startedAt;
      const status = res.writableFinished ? (localsOf(res).failedStatus ?? res.statusCode) : 499;
      const route = routePattern(req, res);
      const { orderNumber: order, admin, isProbe = false } = localsOf(res);
      checkout.observer.requestEnded(isProbe ? 'probe' : classOf(route), status, ms);
      // The user attributes what was read in the back office.
      const fields = { method: req.method, route, status, durationMs: Math.round(ms), order, user: admin?.name };
      checkout.log[isProbe && status < 400 ? 'debug' : 'info']('request.completed', fields);
    });
    next();
  };
}

/** Returns the context with these settings of the shop. */
function withSettings<T extends WebContext>(context: T, shop: CurrentShop): T & CurrentShop {
  const { configChanges } = shop;
  const checkout = { ...context.checkout, config: { ...context.checkout.config, ...configChanges } };
  return { ...context, ...shop, checkout, config: { ...context.config, ...configChanges } };
}

/** Shows what another process changed in the settings of the shop, at the latest 1 s after the change. */
export function useCurrentSettings({ settings, config, checkout }: WebContext): RequestHandler {
  return async (_req, res, next) => {
    await settings.refresh();
    const shop = settings.current();
    const context = contextOf(res);
    if (shop.settingsVersion !== context.settingsVersion)
      localsOf(res).context = {
        ...withSettings({ ...context, config, checkout: { ...context.checkout, config: checkout.config } }, shop),
        ...i18nOf(config, shop, context.locale),
      };
    next();
  };
}

/** Continues in the posted locale, which is that of the product page, if the customer selected none. */
export function followPage(req: Request, res: Response): void {
  const context = contextOf(res);
  const { locales } = context.config;
  const locale = locales.find((each) => each === postedText(req, 'lang'));
  if (!locale || chosenLocale(req, locales)) return;
  localsOf(res).context = { ...context, ...i18nOf(context.config, context, locale) };
  res.set('Content-Language', locale);
  storeLocale(res, locale);
}

function i18nOf(
  { locales }: WebContext['config'],
  { translations }: Pick<CurrentShop, 'translations'>,
  locale: Locale,
): PageI18n {
  return { ...i18nIn(translations, locale), publicPath: (path) => localePath(locales, locale, path) };
}

/** Returns the locale that the customer selected, or `undefined`. */
function chosenLocale(req: Request, locales: WebContext['config']['locales']): Locale | undefined {
  const chosen = /(?:^|;\s*)lang=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1];
  return locales.find((locale) => locale === chosen);
}

/** Stores the locale that the customer selected for a year. */
export function storeLocale(res: Response, locale: Locale): void {
  res.cookie(LANGUAGE_COOKIE, locale, {
    maxAge: YEAR_MS,
    httpOnly: true,
    sameSite: 'lax',
    secure: contextOf(res).config.publicUrl.startsWith('https:'),
  });
}

/** Locale of pages with one address for all locales: the cookie, then `Accept-Language`, then the first locale of the shop. */
function localeChooser(locales: WebContext['config']['locales']): (req: Request) => Locale {
  // The bare language also matches, so that `es-AR` gets `es-MX`.
  const byName = new Map<string, Locale>(
    locales.flatMap((locale) => [locale, ...locale.split('-').slice(0, 1)].map((name) => [name, locale])),
  );
  const names = [...byName.keys()];
  return (req) => {
    const accepted = chosenLocale(req, locales) ?? req.acceptsLanguages(...names);
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
  [/^\/(?:\w\w\/?)?(?:products\/.*)?$/, 'catalog'],
  [/^\/cart/, 'cart'],
  [/^\/checkout\/return/, 'return'],
  [/^\/checkout/, 'checkout'],
  [/^\/orders/, 'order'],
  [/^\/webhooks/, 'webhook'],
  [/^\/admin/, 'admin'],
];

const classOf = (route: string) => CLASSES.find(([form]) => form.test(route))?.[1] ?? 'other';
