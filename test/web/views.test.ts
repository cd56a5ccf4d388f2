import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { MESSAGES } from '../../src/features/messages.js';
import { loadTranslations, textsOf } from '../../src/locales/translations.js';
import { registerViews } from '../../src/web/render.js';
import { unnamedMessages, unnamedViews, viewsIn } from '../support/unnamed-parts.js';

const root = join(import.meta.dirname, '../..');
const views = viewsIn(root);
const readAll = (chosen: typeof views) => chosen.map(({ file }) => readFileSync(file, 'utf8')).join('\n');
const source = readAll(views);

const [spanish = new Map<string, string>(), ...others] = Object.values(MESSAGES).map(({ core, features }) =>
  textsOf(core, features),
);

/** The view of a feature's section. */
const SECTION = '<%- include(section.view, { model: section.model }) %>';
/** The views of a payment flow. */
const FLOW = ['above', 'pay'].map((view) => `<%- include(flow.views.${view}, { flow }) %>`);
/** `productData` escapes `<`. */
const JSON_LD = '<%- page.data %>';

test('no field is a number input, whose value the mouse wheel changes', () => {
  expect(source).not.toMatch(/type="number"/);
});

test('the views print every value escaped, except partials and rendered texts of content/', () => {
  const unescaped = source.match(/<%-[\s\S]*?%>/g) ?? [];

  expect(unescaped.length).toBeGreaterThan(0);
  const others = unescaped.filter(
    (tag) =>
      !/^<%- include\('[a-z/-]+'(?:, \{ (?:(?:added|fields|rows|texts|events|cards): (?:(?:it\.)?page|group)\.\w+(?:, withRaw: true)?|attempt|before|confirmation|picture|product|question(?:: field\.question)?|fields|field(?:: (?:\w+\.)?\w+)?|discount(?:: page\.(?:detail\.)?discount)?|key: '[\w.]+', number: \w+\.number) \})?\) %>$/.test(
        tag,
      ) && ![SECTION, JSON_LD, ...FLOW].includes(tag),
  );
  expect([...new Set(others)]).toEqual(['<%- it.page.html %>']);
  expect(readAll(views.filter(({ name }) => name === 'content-page'))).toContain('<%- it.page.html %>');
});

test('the views of pages hold no inline script, style or event handler, and nothing of another site', () => {
  const pages = views.filter(({ name }) => !name.startsWith('mail'));
  const html = readAll(pages).replace(/<%[\s\S]*?%>/g, 'x');

  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i);
  expect(html.match(/<(script|link|img)[^>]+(src|href)="(https?:)?\/\//g)).toBeNull();
  expect(html.match(/<script(?![^>]* src="[x/])(?! type="application\/ld\+json")[^>]*>/g)).toBeNull();
});

test('the views use message keys that exist', () => {
  const used = [...source.matchAll(/it\.t\('([^']+)'/g)].map(([, key = '']) => key);

  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((key) => !spanish.has(key) && !spanish.has(`${key}_other`))).toEqual([]);
});

test('the views receive no request, no response and no setting of the app', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tianguis-views-'));
  await writeFile(join(folder, 'probe.ejs'), '<%= Object.keys(it).sort().join() %>');
  const app = express();
  registerViews(app, { viewsDirectory: folder, featuresDirectory: folder, assetUrl: (path) => path });
  const t = loadTranslations().in('es-MX');
  app.get('/', (_req, res) => res.render('probe', { layout: {}, page: {}, t, req: 'a request' }));

  const { text } = await supertest(app).get('/');

  expect(text).toBe('adminPaths,asset,layout,moment,money,page,paths,productPath,publicPath,shortMoment,srcset,t,text');
  await rm(folder, { recursive: true });
});

test('the messages have the same keys and placeholders in all locales, and no empty text', () => {
  const gaps = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();
  const shapeOf = (texts: typeof spanish) => [...texts].map(([key, text]) => [key, gaps(text)]);

  for (const other of others) expect(shapeOf(other)).toEqual(shapeOf(spanish));
  const mayBeEmpty = ['brand.announcement', 'brand.hours', 'brand.intro', 'brand.productNote'];
  const empty = [spanish, ...others].flatMap((texts) => [...texts]).filter(([, text]) => text.trim() === '');
  expect(empty.filter(([key]) => !mayBeEmpty.includes(key))).toEqual([]);
});

test('a file of the shop names every view and every message', () => {
  expect([unnamedViews(root), unnamedMessages(root, spanish.keys())]).toEqual([[], []]);
});

test('no section of the core has the name of a feature, and no two messages have one key', () => {
  const { core, features } = MESSAGES['es-MX'];
  expect(Object.keys(core).filter((name) => name in features)).toEqual([]);
  expect(() => textsOf({ events: { paid: 'a' } }, { sales: { events: { paid: 'b' } } })).toThrow('events.paid');
});

/** Past tense. What a button does is said in the present tense. */
const SAYS_NOT_CHARGED =
  /no se (te )?(ha )?(cobró|cobrado)|ni (se cobró|cobro)|no (te )?cobramos|ningún cargo|charged nothing|not (been )?charged|nothing (was|has been)[^.]* charged/i;
const SAYS_OF_THIS_TRY = /Con este intento no se cobró nada|This attempt charged nothing/;

test('case 204: only the texts of gateway_unavailable say that nothing was charged, and only with this try', () => {
  const claims = [spanish, ...others].map((texts) => [...texts].filter(([, text]) => SAYS_NOT_CHARGED.test(text)));

  const allowed = ['notices.gatewayUnavailable', 'errors.gateway_unavailable.text', 'card.errors.unreachable'];
  for (const [key, text] of claims.flat()) {
    expect(allowed).toContain(key);
    expect(text).toMatch(SAYS_OF_THIS_TRY);
  }
  expect(claims[0]?.length).toBeGreaterThan(1);
});
