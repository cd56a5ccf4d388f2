/** Renders the pages with locale, amounts and times. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Request, Response } from 'express';
import { checkoutMessages } from './messages-checkout.js';
import { startMessages } from './messages-start.js';
import { parseUrl } from './parse-url.js';

type Locale = 'es' | 'en';
export type Text = readonly [es: string, en: string];

const texts = { ...checkoutMessages, ...startMessages } satisfies Record<string, Text>;
export type Messages = Readonly<Record<keyof typeof texts, string>>;

const messages: Readonly<Record<Locale, Messages>> = { es: messagesIn('es'), en: messagesIn('en') };

function messagesIn(locale: Locale): Messages {
  const entries = Object.entries(texts).map(([key, text]) => [key, textIn(locale, text)]);
  return Object.fromEntries(entries) as Messages;
}

function textIn(locale: Locale, [es, en]: Text): string {
  return locale === 'es' ? es : en;
}

export interface PageContext {
  readonly locale: Locale;
  readonly query: Request['query'];
  readonly t: Messages;
  readonly translate: (text: Text) => string;
  /** Added to links, so that a locale chosen by link stays. */
  readonly localeQuery: string;
  readonly otherLocale: { readonly locale: Locale; readonly label: string; readonly href: string };
  /** Formats centavos. */
  readonly amount: (minor: number) => string;
  /** Formats milliseconds since 1970 in the time zone of Mexico City. */
  readonly time: (ms: number) => string;
}

/** Spanish by default; English for browsers that prefer it, or with `?lang=en`. */
export function pageContext(req: Request): PageContext {
  const { lang } = req.query;
  const chosen = lang === 'es' || lang === 'en' ? lang : undefined;
  const locale = chosen ?? (req.acceptsLanguages('es', 'en') === 'en' ? 'en' : 'es');
  const other = locale === 'es' ? 'en' : 'es';
  const label = other === 'es' ? 'Español' : 'English';
  const times = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Mexico_City' } as const;
  return {
    locale,
    query: req.query,
    t: messages[locale],
    translate: (text) => textIn(locale, text),
    localeQuery: chosen === undefined ? '' : `?lang=${chosen}`,
    otherLocale: { locale: other, label, href: `${req.path}?lang=${other}` },
    amount: (minor) =>
      new Intl.NumberFormat(`${locale}-MX`, { style: 'currency', currency: 'MXN' }).format(minor / 100),
    time: (ms) => new Intl.DateTimeFormat(`${locale}-MX`, times).format(ms),
  };
}

export function hostOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : parseUrl(address)?.host;
}

type View = 'bank' | 'checkout' | 'message' | 'returning' | 'rules' | 'start' | 'wire';

export interface MessageModel {
  readonly title: string;
  readonly text: string;
  readonly tone: 'good' | 'neutral' | 'bad';
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

const folder = rootAbove(dirname(fileURLToPath(import.meta.url)));
export const assetsFolder = join(folder, 'public/');

/** Returns the folder of package.json. The result is the same for `src/` and the compiled `dist/`. */
function rootAbove(path: string): string {
  return existsSync(join(path, 'package.json')) ? path : rootAbove(dirname(path));
}

/** Registers EJS. Views are compiled once per process. */
export function registerViews(app: Express): void {
  app.set('views', join(folder, 'views'));
  app.set('view engine', 'ejs');
  app.enable('view cache');
}

/** Sends a view. The model may depend on the locale of the request. */
export function render(req: Request, res: Response, view: View, model: (context: PageContext) => object): void {
  const context = pageContext(req);
  res.render(view, { ...context, view, link: undefined, ...model(context) });
}
