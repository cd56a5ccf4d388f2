/** Renders the pages: compiled views, locale, amounts and times. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { Request, Response } from 'express';
import { checkoutMessages } from './messages-checkout.js';
import { startMessages } from './messages-start.js';

export type Locale = 'es' | 'en';
export type Text = readonly [es: string, en: string];

const texts = { ...checkoutMessages, ...startMessages } satisfies Record<string, Text>;
export type Messages = Readonly<Record<keyof typeof texts, string>>;

export interface PageContext {
  readonly locale: Locale;
  readonly query: Request['query'];
  readonly t: Messages;
  readonly translate: (text: Text) => string;
  /** Added to links, so that a locale chosen by link stays. */
  readonly localeQuery: string;
  readonly otherLocale: { readonly locale: Locale; readonly label: string; readonly href: string };
  readonly amount: (minor: number) => string;
  /** Formats milliseconds since 1970 in the time zone of Mexico City. */
  readonly time: (ms: number) => string;
}

const messages: Readonly<Record<Locale, Messages>> = { es: messagesIn('es'), en: messagesIn('en') };

function messagesIn(locale: Locale): Messages {
  const entries = Object.entries(texts).map(([key, text]) => [key, textIn(locale, text)]);
  return Object.fromEntries(entries) as Messages;
}

function textIn(locale: Locale, [es, en]: Text): string {
  return locale === 'es' ? es : en;
}

/** Spanish by default; English for browsers that prefer it, or with `?lang=en`. */
export function pageContext(req: Request): PageContext {
  const { lang } = req.query;
  const chosen = lang === 'es' || lang === 'en' ? lang : undefined;
  const locale = chosen ?? (req.acceptsLanguages('es', 'en') === 'en' ? 'en' : 'es');
  const other = locale === 'es' ? 'en' : 'es';
  return {
    locale,
    query: req.query,
    t: messages[locale],
    translate: (text) => textIn(locale, text),
    localeQuery: chosen === undefined ? '' : `?lang=${chosen}`,
    otherLocale: {
      locale: other,
      label: other === 'es' ? 'Español' : 'English',
      href: `${req.path}?lang=${other}`,
    },
    amount: (minor) => formatAmount(minor, locale),
    time: (ms) => formatTime(ms, locale),
  };
}

function formatTime(ms: number, locale: Locale): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Mexico_City' } as const;
  return new Intl.DateTimeFormat(`${locale}-MX`, options).format(ms);
}

function formatAmount(minor: number, locale: Locale): string {
  // Digits with one point, which the formatter accepts as text. No fraction is computed.
  const decimal =
    `${Math.trunc(minor / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}` as `${number}`;
  return new Intl.NumberFormat(`${locale}-MX`, { style: 'currency', currency: 'MXN' }).format(decimal);
}

export function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

const viewNames = ['bank', 'checkout', 'message', 'returning', 'start', 'wire'] as const;
type View = (typeof viewNames)[number];

/** Sends a view. The model may depend on the locale of the request. */
export type Render = (
  req: Request,
  res: Response,
  view: View,
  model: (context: PageContext) => object,
) => void;

export interface MessageModel {
  readonly title: string;
  readonly text: string;
  readonly tone: 'good' | 'neutral' | 'bad';
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

const folder = join(rootAbove(dirname(fileURLToPath(import.meta.url))), 'tools/simulator');
export const assetsFolder = join(folder, 'public/');

/** Returns the folder of package.json. The result is the same for `tools/` and the compiled `dist/tools/`. */
function rootAbove(path: string): string {
  return existsSync(join(path, 'package.json')) ? path : rootAbove(dirname(path));
}

let compiledViews: ReadonlyMap<View, ejs.TemplateFunction> | undefined;

/** Compiles all views once per process, so that the first simulator to start reports a broken view. */
export function createRender(): Render {
  compiledViews ??= new Map(viewNames.map((view) => [view, compile(view)]));
  const views = compiledViews;
  return (req, res, view, model) => {
    const context = pageContext(req);
    res.send(views.get(view)?.({ ...context, view, link: undefined, ...model(context) }));
  };
}

function compile(view: View): ejs.TemplateFunction {
  const filename = join(folder, 'views', `${view}.ejs`);
  return ejs.compile(readFileSync(filename, 'utf8'), { filename, cache: true });
}
