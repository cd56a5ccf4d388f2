/** What every page has: its language, its words, and the way to the other language. */
import type { Request } from 'express';
import { en } from './words-en.js';
import { es, type Words } from './words-es.js';

export type Lang = 'es' | 'en';

export interface Frame {
  readonly lang: Lang;
  readonly w: Words;
  /** To be added to own addresses, so that a choice by hand stays. */
  readonly langQuery: string;
  readonly otherLang: { readonly lang: Lang; readonly label: string; readonly href: string };
}

const words: Readonly<Record<Lang, Words>> = { es, en };

/** Spanish first; English for browsers that ask for it, or by hand. */
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

/** Centavos as a price; whole pesos and centavos apart, so that no fraction is ever computed. */
export function price(minor: number, lang: Lang): string {
  const decimal = `${Math.trunc(minor / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
  // Digits with one point are what the formatter's type calls numeric.
  const numeric = decimal as `${number}`;
  return new Intl.NumberFormat(localeOf(lang), { style: 'currency', currency: 'MXN' }).format(numeric);
}

export function moment(ms: number, lang: Lang): string {
  return new Intl.DateTimeFormat(localeOf(lang), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'America/Mexico_City',
  }).format(ms);
}

export function grouped(digits: string): string {
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}

/** A shop as a shopper knows it, by one of its addresses. */
export function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

function localeOf(lang: Lang): string {
  return lang === 'es' ? 'es-MX' : 'en-MX';
}
