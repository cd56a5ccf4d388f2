/** What all pages share: compiled views, language, prices and times. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { Request } from 'express';
import { en } from './messages-en.js';
import { es, type Words } from './messages-es.js';

export type Lang = 'es' | 'en';

export interface Frame {
  readonly lang: Lang;
  readonly w: Words;
  /** Added to own addresses, so that a language chosen by hand stays. */
  readonly langQuery: string;
  readonly otherLang: { readonly lang: Lang; readonly label: string; readonly href: string };
}

const words: Readonly<Record<Lang, Words>> = { es, en };
const locales: Readonly<Record<Lang, string>> = { es: 'es-MX', en: 'en-MX' };

/** Spanish by default; English for browsers that prefer it, or by hand. */
export function frameOf(req: Request): Frame {
  const chosen = req.query['lang'];
  const byHand = chosen === 'es' || chosen === 'en' ? chosen : undefined;
  const lang = byHand ?? (req.acceptsLanguages('es', 'en') === 'en' ? 'en' : 'es');
  const other = lang === 'es' ? 'en' : 'es';
  return {
    lang,
    w: words[lang],
    langQuery: byHand === undefined ? '' : `?lang=${byHand}`,
    otherLang: {
      lang: other,
      label: other === 'es' ? 'Español' : 'English',
      href: `${req.path}?lang=${other}`,
    },
  };
}

/** Formats centavos without computing a fraction. */
export function price(minor: number, lang: Lang): string {
  const decimal = `${Math.trunc(minor / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
  // The formatter's type accepts digits with one point.
  const numeric = decimal as `${number}`;
  return new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'MXN' }).format(numeric);
}

/** Formats a time in the time zone of Mexico City. */
export function moment(ms: number, lang: Lang): string {
  return new Intl.DateTimeFormat(locales[lang], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Mexico_City',
  }).format(ms);
}

/** The host of an address, as the name of a shop. */
export function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

const viewNames = ['bank', 'checkout', 'message', 'returning', 'start', 'wire'] as const;
type View = (typeof viewNames)[number];
export type Render = (view: View, frame: Frame, model: object) => string;

/** The model of the view `message`. */
export interface Message {
  readonly title: string;
  readonly text: string;
  readonly tone: 'good' | 'calm' | 'bad';
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

const home = join(rootAbove(dirname(fileURLToPath(import.meta.url))), 'tools/simulator');
const folder = join(home, 'views/');
export const assetsFolder = join(home, 'public/');

/** Returns the folder of package.json. The result is the same for `tools/` and the compiled `dist/tools/`. */
function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

let compiled: ReadonlyMap<View, ejs.TemplateFunction> | undefined;

/** Compiles all views once per process. A broken view is reported when the first simulator starts. */
export function loadViews(): Render {
  compiled ??= new Map(viewNames.map((view) => [view, compile(view)]));
  const views = compiled;
  return (view, frame, model) => views.get(view)?.({ ...frame, view, link: undefined, ...model }) ?? '';
}

function compile(view: View): ejs.TemplateFunction {
  const filename = `${folder}${view}.ejs`;
  return ejs.compile(readFileSync(filename, 'utf8'), { filename, cache: true });
}
