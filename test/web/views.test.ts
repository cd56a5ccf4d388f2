import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { LOCALES, type Locale } from '../../src/domain/locale.js';
import { ORDER_STATES } from '../../src/domain/order.js';
import { en } from '../../src/locales/en.js';
import { esMx } from '../../src/locales/es-mx.js';
import { loadTranslations } from '../../src/locales/translations.js';
import { registerViews, type ViewModels } from '../../src/web/render.js';
import type { CheckoutPage, Layout } from '../../src/web/view-models.js';

const directory = join(import.meta.dirname, '../../views');
const app = express();
registerViews(app, { viewsDirectory: directory, assetUrl: (path) => `/assets${path}?v=1` });
const translations = loadTranslations();
const HOSTILE = '<script>alert("x")</script>';
const CONTROL_TAG = /<%(?![-=#])[\s\S]*?%>/g;

const lines = [{ name: HOSTILE, quantity: 2, lineTotal: '$578.00' }];
const cartLine = {
  productId: 'taza-talavera',
  name: HOSTILE,
  href: '/products/taza-de-talavera',
  image: '/products/taza-talavera.svg',
  imageAlt: HOSTILE,
  unitPrice: '$289.00',
  lineTotal: '$578.00',
  quantity: HOSTILE,
  quantityError: HOSTILE,
};
const checkout: CheckoutPage = {
  lines,
  total: '$578.00',
  seenTotal: '57800',
  otherWay: true,
  payAgain: true,
  contact: ['first_name', 'last_name', 'email'].map((name) => ({
    ...{ name, type: 'text', autocomplete: 'off', maxLength: 120 },
    ...{ label: HOSTILE, hint: HOSTILE, scriptError: HOSTILE, value: HOSTILE, error: HOSTILE },
  })),
  notices: [HOSTILE],
  errors: [{ field: 'email', message: HOSTILE }],
};
const actions = [{ label: HOSTILE, href: '/cart' }];

const row = {
  ...{ number: 'K7M2Q9RX', href: '/admin/orders/K7M2Q9RX', total: '$578.00', tone: 'review' as const },
  ...{ state: HOSTILE, reason: HOSTILE, placed: HOSTILE, since: HOSTILE },
};

/** Every part that a view can show, with hostile text wherever text comes from outside. */
const FULL: ViewModels = {
  catalog: {
    typed: HOSTILE,
    categories: [{ label: HOSTILE, href: '/', current: true }],
    products: [{ ...cartLine, price: '$289.00' }],
    narrowed: { heading: HOSTILE, found: HOSTILE },
  },
  product: { ...cartLine, id: 'taza-talavera', description: HOSTILE, price: '$289.00' },
  cart: { lines: [cartLine], said: HOSTILE, total: '$578.00', notices: [HOSTILE] },
  checkout,
  'checkout-card': {
    ...checkout,
    tokenizerUrl: 'https://vault.example/token',
    accessTokenPath: '/checkout/card/access-token',
    cardError: HOSTILE,
  },
  order: {
    number: 'K7M2Q9RX',
    state: 'paid',
    tone: 'good',
    heading: HOSTILE,
    paragraphs: [HOSTILE],
    total: '$578.00',
    statusPath: '/orders/abc/status',
    actions,
    detail: { lines, name: HOSTILE, email: HOSTILE, placedAt: 'ayer', paidAt: 'hoy' },
  },
  'find-order': {
    number: { value: HOSTILE, error: HOSTILE },
    email: { value: HOSTILE, error: HOSTILE },
    errors: [{ field: 'number', message: HOSTILE }],
    sent: false,
  },
  problem: { heading: HOSTILE, text: HOSTILE, errorId: HOSTILE, actions },
  'admin-sign-in': { error: HOSTILE },
  'admin-overview': {
    rows: [row],
    moreHref: '/admin/orders?person=1',
    health: [{ title: HOSTILE, figure: HOSTILE, tone: 'bad', lines: [HOSTILE], links: actions }],
    sales: {
      facts: [{ label: HOSTILE, value: HOSTILE }],
      width: '10',
      days: [{ day: HOSTILE, count: HOSTILE, total: HOSTILE, bar: { x: '1', y: '0.00', height: '100.00' } }],
      axis: { most: HOSTILE, first: HOSTILE, last: HOSTILE },
      states: [{ state: HOSTILE, tone: 'good', count: HOSTILE, share: HOSTILE, width: '100.00' }],
      counted: HOSTILE,
    },
  },
  'admin-orders': {
    ...{ rows: [row], refused: false, filtered: true, person: true },
    sought: { value: HOSTILE, error: HOSTILE },
    standing: { value: HOSTILE, error: HOSTILE },
    states: [{ value: HOSTILE, label: HOSTILE, selected: true }],
    from: { value: HOSTILE, error: HOSTILE },
    to: { value: HOSTILE, error: HOSTILE },
    exportHref: `/admin/orders.csv?q=${HOSTILE}`,
    newerHref: `/admin/orders?q=${HOSTILE}`,
    olderHref: `/admin/orders?q=${HOSTILE}`,
  },
  'admin-order': {
    ...row,
    said: HOSTILE,
    facts: [{ label: HOSTILE, value: HOSTILE }],
    lines,
    attempts: [
      { title: HOSTILE, state: HOSTILE, gatewayStatus: HOSTILE, reference: HOSTILE, gatewayId: HOSTILE },
    ],
    why: HOSTILE,
    jobs: [
      {
        ...{ job: 'receipt', name: HOSTILE, state: HOSTILE, tone: 'bad' },
        ...{ lines: [HOSTILE], mayRetry: true },
      },
    ],
    events: [{ at: HOSTILE, gap: HOSTILE, kind: HOSTILE, told: [HOSTILE], raw: HOSTILE }],
    version: '3',
    choices: [{ value: 'refund', label: HOSTILE, hint: HOSTILE }],
    asksGatewayId: true,
  },
};
const NAMES = Object.keys(FULL) as (keyof ViewModels)[];

function layoutIn(lang: Locale): Layout {
  return {
    lang,
    locales: LOCALES.map((code) => ({ code, label: code, current: code === lang })),
    title: HOSTILE,
    cartCount: 2,
    path: '/cart?x="><script>',
    scripts: ['/forms.js'],
    refreshSeconds: 3,
    simulatorUrl: 'http://localhost:4000/',
  };
}

function render<V extends keyof ViewModels>(
  view: V,
  lang: Locale = 'es-MX',
  layout: Layout = layoutIn(lang),
): Promise<string> {
  const locals = { layout, page: FULL[view], t: translations.in(lang) };
  return new Promise((resolve, reject) => {
    app.render(view, locals, (error, html) => (error ? reject(error) : resolve(html)));
  });
}

const EVERY_PAGE = NAMES.flatMap((view) => LOCALES.map((lang) => [view, lang] as const));

function everyFile(): readonly { readonly file: string; readonly source: string }[] {
  const files = [directory, join(directory, 'partials')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ejs'))
      .map((name) => join(folder, name)),
  );
  return files.map((file) => ({
    file: file.slice(directory.length + 1),
    source: readFileSync(file, 'utf8'),
  }));
}

function leaves(words: object, prefix = ''): readonly (readonly [string, string])[] {
  return Object.entries(words).flatMap(([key, value]): readonly (readonly [string, string])[] =>
    typeof value === 'string' ? [[prefix + key, value]] : leaves(value, `${prefix}${key}.`),
  );
}

describe('views', () => {
  test.each(EVERY_PAGE)('%s in %s shows text from outside as text, never as markup', async (view, lang) => {
    const html = await render(view, lang);

    expect(html).not.toContain(HOSTILE);
    expect(html).toContain('&lt;script&gt;alert(');
  });

  test.each(EVERY_PAGE)(
    '%s in %s is one document in its language with one main heading',
    async (view, lang) => {
      const html = await render(view, lang);

      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toContain(`<html lang="${lang}">`);
      expect(html.match(/<h1[ >]/g)).toHaveLength(1);
      expect(html.match(/<main[ >]/g)).toHaveLength(1);
      expect(html).not.toMatch(/undefined|\[object /);
      expect(html).not.toMatch(/>\s*(site|titles|cart|card|checkout|order|form|fields|summary)\.[a-z_]+\s*</);
    },
  );

  test.each(NAMES)(
    '%s holds nothing inline that the policy would block, and asks no other site',
    async (view) => {
      const html = await render(view);

      expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
      expect(html.match(/<script(?![^>]* src="\/)[^>]*>/g)).toBeNull();
      expect(html.match(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//g)).toBeNull();
    },
  );

  test.each(NAMES)(
    '%s gives each id once, and every label, link and description finds its target',
    async (view) => {
      const html = await render(view);

      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      const targets = [...html.matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"/g)];
      const links = [...html.matchAll(/href="#([^"]+)"/g)];
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, target = ''] of [...targets, ...links])
        expect(ids).toEqual(expect.arrayContaining(target.split(' ')));
    },
  );

  test('a view receives no request, no response and no setting of the app', async () => {
    const locals = { layout: layoutIn('es-MX'), page: FULL.problem, t: translations.in('es-MX') };
    const probe = await mkdtemp(join(tmpdir(), 'tianguis-views-'));
    await writeFile(join(probe, 'probe.ejs'), '<%= Object.keys(it).sort().join() %>');
    const other = express();
    registerViews(other, { viewsDirectory: probe, assetUrl: (path) => path });
    other.get('/', (_req, res) => res.render('probe', { ...locals, req: 'a request' }));

    const { text } = await supertest(other).get('/');

    expect(text).toBe('asset,layout,page,t');
    await rm(probe, { recursive: true });
  });

  test('values are only ever printed escaped; what is raw is a part of the page', () => {
    for (const { file, source } of everyFile()) {
      const raw = [...source.matchAll(/<%-[\s\S]*?%>/g)].map(([tag]) => tag);

      for (const tag of raw)
        expect([file, tag]).toEqual([file, expect.stringMatching(/^<%- include\('partials\/[a-z-]+'\) %>$/)]);
    }
  });

  test('every key that a view uses has words', () => {
    const known = new Set(leaves(esMx).map(([key]) => key));
    const used = everyFile().flatMap(({ file, source }) =>
      [...source.matchAll(/it\.t\('([^']+)'/g)].map(([, key = '']) => [file, key] as const),
    );

    const missing = used.filter(([, key]) => !known.has(key) && !known.has(`${key}_other`));

    expect(used.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  test('views decide nothing but what is there: no comparison of money, dates or states', () => {
    for (const { file, source } of everyFile()) {
      const code = (source.match(CONTROL_TAG) ?? []).join('\n');

      expect([file, /\b(Intl|Date|Number|Math|toFixed|page\.state)\b/.exec(code)]).toEqual([file, null]);
    }
  });

  test('card inputs have no name, so that no browser can post a card to the shop', async () => {
    const html = await render('checkout-card');

    const visible = ['card-number-input', 'cardholder-input', 'expiry-input', 'cvv-input'];
    for (const id of visible) expect(html).toMatch(new RegExp(`<input id="${id}"(?![^>]*\\sname=)[^>]*>`));
    for (const name of ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year']) {
      expect(html).toContain(`<input type="hidden" name="${name}" value="">`);
    }
    expect(html).toMatch(/<noscript>[\s\S]*href="\/checkout"[\s\S]*<\/noscript>/);
  });

  test('a page that waits refreshes itself without JavaScript; one that does not wait stays', async () => {
    const { refreshSeconds: _, ...still } = layoutIn('es-MX');

    const waiting = await render('order');
    const done = await render('order', 'es-MX', still);

    expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
    expect(waiting).toContain('data-refresh-seconds="3"');
    expect(done).not.toMatch(/http-equiv="refresh"|data-refresh-seconds/);
  });
});

describe('words', () => {
  test('both languages hold the same keys, each with a text and the same gaps to fill', () => {
    const gaps = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();
    const shapeOf = (words: object) => leaves(words).map(([key, text]) => [key, gaps(text)]);

    expect(shapeOf(en)).toEqual(shapeOf(esMx));
    for (const [key, text] of [...leaves(en), ...leaves(esMx)])
      expect([key, text.trim()]).not.toEqual([key, '']);
  });

  test.each(ORDER_STATES)(
    'an order that is %s is explained: what happened, the money, paying again',
    (state) => {
      for (const words of [esMx, en]) {
        expect(Object.keys(words.states[state])).toEqual(['heading', 'what', 'money', 'again']);
      }
    },
  );

  test.each(['review', 'outcome_unknown'] as const)('an order that is %s says not to pay again', (state) => {
    expect(esMx.states[state].again).toMatch(/no pagues otra vez/i);
    expect(en.states[state].again).toMatch(/do not pay again/i);
  });
});

describe('pictures', () => {
  const folder = join(import.meta.dirname, '../../public');
  const pictures = ['favicon.svg', 'logo.svg', 'garland.svg'].concat(
    readdirSync(join(folder, 'products')).map((name) => join('products', name)),
  );

  test.each(pictures)('%s is small, ours alone, and runs nothing', (name) => {
    const svg = readFileSync(join(folder, name), 'utf8');

    expect(svg.length).toBeLessThan(9_000);
    expect(svg).not.toMatch(/<(script|style|text|image|foreignObject)\b|\son[a-z]+=|\sstyle=/i);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|(href|url)\(?=?"?(?!#)[a-z/]/i,
    );
  });
});
