/** The feed as Chromium's XML parser reads it, against the product data specification of Google Merchant Center. */
import { expect, test } from '@jest/globals';
import { feedPath } from '../../../../src/features/product-feed/paths.js';
import { centavos } from '../../../../src/payments/rules/money.js';
import { LOCALES } from '../../../../src/shop/rules/locales.js';
import { openVisit } from '../../../support/browser.js';
import { hasFeature } from '../../../support/features.js';
import { openFileShop } from '../../../support/shared-shop.js';
import { importVariants } from '../../../support/variants.js';

const shop = await openFileShop();

type Item = Readonly<Record<string, readonly string[]>>;

/** Reads the items of a feed: the texts of each attribute, in their order. Throws if the feed is no XML. */
async function readFeed(path = '/feeds/products.xml'): Promise<readonly Item[]> {
  await using visit = await openVisit(shop);
  await visit.page.goto('/healthz');
  return (await visit.page.evaluate(`(async () => {
    const answer = await fetch(${JSON.stringify(path)});
    const feed = new DOMParser().parseFromString(await answer.text(), 'application/xml');
    if (feed.querySelector('parsererror')) throw new Error(feed.documentElement.textContent);
    if (feed.documentElement.matches('rss[version="2.0"]') === false) throw new Error('no RSS');
    return [...feed.querySelectorAll('rss > channel > item')].map((item) => {
      const attributes = {};
      for (const { namespaceURI, localName, children, textContent } of item.children) {
        if (namespaceURI !== 'http://base.google.com/ns/1.0') throw new Error(localName);
        const text = children.length === 0 ? textContent : [...children].map((each) => each.textContent).join(' ');
        (attributes[localName] ??= []).push(text);
      }
      return attributes;
    });
  })()`)) as readonly Item[];
}

/** Ends the time for which a feed is kept, and reads it. */
function readNewFeed(path?: string): Promise<readonly Item[]> {
  shop.clock.advance(60_001);
  return readFeed(path);
}

const itemOf = (feed: readonly Item[], id: string) => feed.find((item) => item['id']?.[0] === id);

/** What each attribute of the specification accepts, and how often an item may have it. */
const RULES: Readonly<Record<string, readonly [pattern: RegExp, min: number, max: number]>> = {
  id: [/^[\w-]{1,50}$/, 1, 1],
  title: [/^.{1,150}$/su, 1, 1],
  description: [/^.{1,5000}$/su, 1, 1],
  link: [/^https?:\/\/[!-~]{1,1990}$/, 1, 1],
  image_link: [/^https?:\/\/[!-~]{1,1990}$/, 1, 1],
  additional_image_link: [/^https?:\/\/[!-~]{1,1990}$/, 0, 10],
  availability: [/^(?:in_stock|out_of_stock)$/, 1, 1],
  price: [/^\d+\.\d\d MXN$/, 1, 1],
  sale_price: [/^\d+\.\d\d MXN$/, 0, 1],
  condition: [/^new$/, 1, 1],
  brand: [/^.{1,70}$/su, 1, 1],
  item_group_id: [/^[\w-]{1,50}$/, 0, 1],
  size: [/^.{1,100}$/su, 0, 1],
  shipping: [/^MX (?:[A-Z]{3} )?\d+\.\d\d MXN$/, 0, 100],
  shipping_weight: [/^\d+ g$/, 0, 1],
};

function expectRules(item: Item): void {
  expect(Object.keys(item).filter((name) => !(name in RULES))).toEqual([]);
  for (const [name, [pattern, min, max]] of Object.entries(RULES)) {
    const texts = item[name] ?? [];
    expect([name, texts.length >= min, texts.length <= max]).toEqual([name, true, true]);
    for (const text of texts) expect(text).toMatch(pattern);
  }
}

test('every visible product of the sample catalog is an item that fulfills the specification, in each locale', async () => {
  const ids = await shop.queries.selectFrom('products').select('id').where('visible', '=', 1).orderBy('id').execute();

  for (const locale of LOCALES) {
    const feed = await readNewFeed(feedPath(LOCALES, locale));
    feed.forEach(expectRules);
    expect(feed.map((item) => item['id']?.[0])).toEqual(ids.map(({ id }) => id));
  }
});

(hasFeature('search-engines') ? test : test.skip)(
  'an item has the id, group, price, availability, picture and address of the data on its product page',
  async () => {
    await importVariants(shop);
    await using visit = await openVisit(shop);

    for (const locale of LOCALES)
      for (const item of (await readNewFeed(feedPath(LOCALES, locale))).filter(
        ({ id }) => !/^[b-o]/.test(String(id)),
      )) {
        await visit.page.goto(item['link']?.[0] ?? '');
        const text = await visit.page.locator('script[type="application/ld+json"]').first().textContent();
        const [data] = JSON.parse(text ?? '');
        const product = data.hasVariant?.find(({ sku }: { readonly sku: string }) => sku === item['id']?.[0]) ?? data;
        expect(item).toMatchObject({
          ...{ id: [product.sku], title: [product.name], description: [product.description] },
          ...{ image_link: product.image, link: [product.offers.url], price: [`${product.offers.price} MXN`] },
          availability: [product.offers.availability.endsWith('InStock') ? 'in_stock' : 'out_of_stock'],
        });
        expect(item['item_group_id']?.[0]).toBe(data.productGroupID);
      }
  },
);

test('variants are one group, by what differs, and hidden ones are absent', async () => {
  await importVariants(shop);
  await shop.queries.updateTable('products').set({ visible: 0 }).where('id', '=', 'playera-verde').execute();

  const feed = await readNewFeed();

  const group = { item_group_id: ['playera-roja'] };
  expect(itemOf(feed, 'playera-roja')).toMatchObject({ ...group, size: ['roja'], availability: ['in_stock'] });
  expect(itemOf(feed, 'playera-azul')).toMatchObject({ ...group, size: ['azul'], availability: ['out_of_stock'] });
  expect(itemOf(feed, 'playera-verde')).toBeUndefined();
});

test('a product on sale has the price before as its price, and its weight and pictures are listed', async () => {
  const product = shop.queries.updateTable('products').where('id', '=', 'taza-talavera');
  await product.set({ priceBefore: centavos(34_900), weightG: 450 }).execute();
  const pictures = Array.from({ length: 12 }, (_, index) => ({
    ...{ productId: 'taza-talavera', position: index + 2, texts: '{}' },
    image: `/pictures/${String(index).padStart(64, 'a')}`,
  }));
  await shop.queries.insertInto('productPictures').values(pictures).execute();

  const item = itemOf(await readNewFeed(), 'taza-talavera');

  await product.set({ priceBefore: null, weightG: null }).execute();
  await shop.queries.deleteFrom('productPictures').execute();
  expect(item).toMatchObject({
    ...{ price: ['349.00 MXN'], sale_price: ['289.00 MXN'], shipping_weight: ['450 g'] },
    additional_image_link: pictures.slice(0, 10).map(({ image }) => shop.url + image),
  });
});

test('texts with markup, forbidden characters and more characters than allowed still fulfill the specification', async () => {
  const { queries } = shop;
  const products = queries.updateTable('products').where('id', '=', 'taza-talavera');
  const { texts } = await queries
    .selectFrom('products')
    .select('texts')
    .where('id', '=', 'taza-talavera')
    .executeTakeFirstOrThrow();
  const inAll = (text: string) => Object.fromEntries(LOCALES.map((locale) => [locale, text]));
  const name = inAll(`</g:title>&amp;<![CDATA["'\u0000\u000b\ufffe\ud800 ${'🏺'.repeat(200)}`);
  const description = inAll(`Uno\u0001\ndos ]]> ${'ñ'.repeat(6_000)}`);
  await products.set({ texts: JSON.stringify({ ...JSON.parse(texts), name, description }) }).execute();

  const item = itemOf(await readNewFeed(), 'taza-talavera') ?? {};

  await products.set({ texts }).execute();
  expectRules(item);
  expect(item['title']?.[0]).toMatch(/^<\/g:title>&amp;<!\[CDATA\["' 🏺+$/u);
  expect(item['description']?.[0]).toMatch(/^Uno\ndos ]]> ñ+$/);
});
