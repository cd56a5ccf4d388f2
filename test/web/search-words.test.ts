/** Words of a search that the catalog writes in another way, or not at all. */
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextRun } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { inCorrectionTurn } from '../../src/tables/correction-turns.js';
import { writeProducts } from '../../src/tables/product-changes.js';
import { batchesOf } from '../../src/tables/product-words.js';
import { correctTerms } from '../../src/tables/search-products.js';
import { testProducts } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { EN, inEnglish, isOffered } from '../support/locales.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const [mug] = testProducts();
const NAMES = [
  { id: 'atole', es: 'Atole & champurrado', en: 'Corn drink' },
  { id: 'rosas', es: 'Agua de rosas 750 ml', en: 'Rose water 750 ml' },
  { id: 'cafe', es: 'Café molido 3.5kg', en: 'Ground coffee 3.5kg' },
  { id: 'sal', es: 'Sal y pimienta', en: 'Salt & pepper' },
  { id: 'solo', es: 'Zarape 20 pzas' },
];
const products = NAMES.map(({ id, es, en }, position) => ({
  product: {
    ...{
      ...mug,
      id,
      slug: id,
      category: { id: 'mesa', name: { 'es-MX': 'Mesa', ...(en && inEnglish({ en: 'Table' })) } },
    },
    ...{ name: { 'es-MX': es, ...(en && inEnglish({ en })) }, description: {}, imageAlt: { 'es-MX': 'Foto' } },
  },
  position,
}));
await shop.queries.deleteFrom('productEvents').execute();
await shop.queries.deleteFrom('products').execute();
await shop.queries.deleteFrom('catalogWords').execute();
await writeProducts(shop.queries, products, 1);

async function search(text: string, path = '/') {
  const { text: html } = await new Customer(shop).get(`${path}?q=${encodeURIComponent(text)}`);
  const [found = ''] = html.split('data-test="suggestions"');
  const [, corrected] = /data-test="corrected">([^<]*)</.exec(html) ?? [];
  const items = found.matchAll(/<li class="item">\n<a href="[^"]*\/products\/([\w-]+)"/g);
  return { ids: Array.from(items, ([, id]) => id), corrected };
}

test.each([
  ['750ml', 'rosas'],
  ['rosas 750 ML', 'rosas'],
  ['3.5 kg', 'cafe'],
  ['café 3.5KG', 'cafe'],
  ['20pzas', 'solo'],
  ['sal & pimienta', 'sal'],
  ['atole y champurrado', 'atole'],
  ['ATOLE Y', 'atole'],
])('a search for %s finds the product %s, however the catalog writes it', async (typed, id) => {
  expect(await search(typed)).toEqual({ ids: [id], corrected: undefined });
});

test.each([
  ['atoel', 'atole'],
  ['piminta', 'sal'],
  ['champrurado', 'atole'],
  ['rosas zarap', 'none'],
])('a search for %s corrects transposed letters as one typing error: %s', async (typed, id) => {
  const { ids, corrected } = await search(typed);

  expect(ids).toEqual(id === 'none' ? [] : [id]);
  expect(corrected).toBe(id === 'none' ? undefined : `No encontramos «${typed}». Esto es lo más parecido.`);
});

test.each([
  ['atole oaxaca', ['atole'], 'oaxaca'],
  ['Oaxaca atoel zacatlán', ['atole'], 'oaxaca zacatlán'],
  ['rosas 500 ml', ['rosas'], '500 ml'],
])('a search for %s finds %j without the words that fit nothing, and names %s', async (typed, found, words) => {
  const { ids, corrected } = await search(typed);

  expect(ids).toEqual(found);
  expect(corrected).toBe(`No encontramos «${typed}». Esto es lo más parecido, sin «${words}».`);
});

test('a search in which no word fits finds nothing, and names no correction', async () => {
  expect(await search('oaxaca zacatlán')).toEqual({ ids: [], corrected: undefined });
});

test('corrections on a page in Spanish are words in Spanish', async () => {
  const { queries } = shop;

  // `coffee` and `café` are as near.
  expect((await correctTerms(queries, { text: 'cofe' }, 'es-MX')).text).toBe('café');
  expect((await correctTerms(queries, { text: 'pepperr' }, 'es-MX')).text).toBeUndefined();
  expect((await correctTerms(queries, { text: 'sarape' }, 'es-MX')).text).toBe('zarape');
});

(isOffered(['en']) ? test : test.skip)('corrections on a page in English are words of its texts', async () => {
  const { queries } = shop;

  expect((await correctTerms(queries, { text: 'pepperr' }, EN)).text).toBe('pepper');
  expect((await correctTerms(queries, { text: 'pimienat' }, EN)).text).toBeUndefined();
  expect((await correctTerms(queries, { text: 'sarape' }, EN)).text).toBe('zarape');
});

test('corrections of searches run one at a time, the seventh is left out, and a failed one ends its turn only', async () => {
  const held = new EventEmitter();
  const running: number[] = [];
  const correct = async (number: number) => {
    running.push(number);
    await once(held, 'end');
    if (number === 2) throw new Error('no database');
    return number;
  };
  const turns = [1, 2, 3, 4, 5, 6, 7].map((number) => inCorrectionTurn(() => correct(number)));
  const settled = Promise.allSettled(turns);

  expect(await turns[6]).toBeUndefined();
  for (const number of [1, 2, 3, 4, 5, 6]) {
    while (running.length < number) await nextRun();
    expect(running).toHaveLength(number);
    held.emit('end');
  }
  expect((await settled).map((each) => each.status === 'fulfilled' && each.value)).toEqual([
    ...[1, false, 3, 4, 5, 6, undefined],
  ]);
  expect(await inCorrectionTurn(async () => 'free')).toBe('free');
});

test('a search of six wrong words in 20,000 words of the catalog lets other requests run between its parts', async () => {
  const { queries } = shop;
  const words = numbers(20_000).map((number) => `x${number.toString(36).padStart(6, '0')}`);
  for await (const batch of batchesOf(words.map((word) => ({ word, spelling: word, locale: 'es-MX' as const }))))
    await queries.insertInto('catalogWords').values(batch).execute();
  const text = 'atoel xqqqqqa1 xqqqqqb2 xqqqqqc3 xqqqqqd4 xqqqqqe5';
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { text: correction } = await correctTerms(queries, { text }, 'es-MX');
  clearImmediate(timer);

  expect(correction).toBe('atole');
  // One at least for each 2,000 words that are read, and for each 1,000 that are compared.
  expect(turns).toBeGreaterThan(30);
});
