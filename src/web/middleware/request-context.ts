import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Locale } from '../../core/catalogue.js';
import { endRequest } from '../end-request.js';
import { type RequestContext, setContext } from '../request-context.js';
import type { WebServices } from '../services.js';

/** The cookie that holds the language chosen by hand. */
export const LANGUAGE_COOKIE = 'lang';

/**
 * Gives each request its id and language, and writes one log line when it ends: the route's pattern, never the path. The
 * id is told to the proxy, and is always our own: one from outside could be anybody's words, or another request's name.
 */
export function requestContext({ checkout, settings, translations }: WebServices): RequestHandler {
  const chooseLocale = localeChooser(settings.languages);
  return (req, res, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const locale = chooseLocale(req);
    const context: RequestContext = { requestId, locale, t: translations.in(locale) };
    setContext(res, context);
    res.vary('Accept-Language').vary('Cookie').set('Content-Language', locale);
    res.set('X-Request-Id', requestId);
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : 499;
      const ms = performance.now() - startedAt;
      const { order } = context;
      endRequest(checkout, {
        requestId,
        method: req.method,
        route: routePattern(req, res),
        status,
        ms,
        order,
      });
    });
    next();
  };
}

/** The language chosen by hand, else the one that the browser likes best, else the first. */
function localeChooser(languages: WebServices['settings']['languages']): (req: Request) => Locale {
  // A browser that asks for the Spanish of another country is served by ours.
  const byName = new Map<string, Locale>(
    languages.flatMap((locale) => [locale, ...locale.split('-').slice(0, 1)].map((name) => [name, locale])),
  );
  const names = [...byName.keys()];
  return (req) => {
    const chosen = /(?:^|;\s*)lang=([\w-]+)/.exec(req.headers.cookie ?? '')?.[1];
    const byHand = languages.find((locale) => locale === chosen);
    const accepted = byHand ?? req.acceptsLanguages(...names);
    return byName.get(accepted || '') ?? languages[0];
  };
}

function routePattern(req: Request, res: Response): string {
  const route = req.route as { readonly path?: unknown } | undefined;
  if (typeof route?.path === 'string') return route.path;
  return res.statusCode === 404 ? 'none' : 'middleware';
}
