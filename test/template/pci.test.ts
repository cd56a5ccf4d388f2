/** The inventory of scripts in docs/internals/pci.md, compared with the served payment pages and files. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { routesOf } from '../support/pages.js';
import { openHostedPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const file = new URL('../../docs/internals/pci.md', import.meta.url);
const document = existsSync(file) ? readFileSync(file, 'utf8') : '';
const shop = await openFileShop();

/** Returns the rows whose first cell is a code span of this form, as code spans by cell. */
function rowsOf(first: RegExp): readonly (readonly (readonly string[])[])[] {
  const rows = document.split('\n').map((line) => line.split('|').slice(1, -1).map(quotesIn));
  return rows.filter(([[name = ''] = []]) => first.test(name));
}

function quotesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote);
}

const PAGES = rowsOf(/^\//);
/** A removed room has no scripts. */
const isPresent = (script: string) =>
  [`public/${script}`, `src/features/${script.replace('/', '/public/')}`].some((path) =>
    existsSync(new URL(`../../${path}`, import.meta.url)),
  );
const SCRIPTS = rowsOf(/\.js$/).filter(([[name = ''] = []]) => isPresent(name));

test('each payment page loads the listed scripts only', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  await customer.add();

  const routes = routesOf(shop);
  // A removed room has no page.
  const present = PAGES.filter(([[path = ''] = []]) => routes.includes(`GET ${path}`));
  for (const [[path = ''] = [], , scripts] of present) {
    const page = await customer.get(path.replace('/orders/:token', orderPath));
    const tags = page.text.match(/<script\b[^>]*>/g) ?? [];
    expect([path, page.status]).toEqual([path, 200]);
    expect(
      tags.map((tag) => /^<script type="module" src="\/assets\/([\w/-]+\.js)\?v=\w+">$/.exec(tag)?.[1] ?? tag),
    ).toEqual(scripts?.filter(isPresent));
  }
  expect([PAGES.length, present.length >= 2]).toEqual([4, true]);
});

test('each script has the listed hash, imports nothing and is loaded by a payment page', async () => {
  const actual = await Promise.all(
    SCRIPTS.map(async ([[name = ''] = []]) => {
      const content = await (await fetch(`${shop.url}/assets/${name}`)).text();
      expect(content).not.toMatch(/\bimport\b|createElement\('script'\)/);
      return [name, `sha256-${createHash('sha256').update(content).digest('base64')}`];
    }),
  );

  expect(SCRIPTS.map(([script, , hash]) => [script?.[0], hash?.[0]])).toEqual(actual);
  expect(new Set(PAGES.flatMap(([, , scripts = []]) => scripts.filter(isPresent)))).toEqual(
    new Set(actual.map(([name]) => name)),
  );
});
