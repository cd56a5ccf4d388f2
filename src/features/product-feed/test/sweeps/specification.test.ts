/** The feed as Chromium's XML parser reads it, against the product data specification of Google Merchant Center. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { openVisit } from '../../../../../test/support/browser.js';
import { Customer } from '../../../../../test/support/customer.js';
import { hasFeature } from '../../../../../test/support/features.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { importVariants, ROWS } from '../../../../../test/support/variants.js';
import { LOCALES } from '../../../../shop/rules/locales.js';
import { feedPath } from '../../paths.js';

const shop = await openFileShop();

type Item = Readonly<Record<string, readonly string[]>>;

/** Reads the items of a feed: the texts of each attribute, in their order. Throws if the feed is no XML. */
async function readFeed(path = '/feeds/products.xml'): Promise<readonly Item[]> {
  await using visit = await openVisit(shop);
  await visit.page.goto('/cart');
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
  // Google refuses SVG, which has no picture then.
  image_link: [/^https?:\/\/[!-~]{1,1990}(?<!\.svg(?:\?.*)?)$/, 0, 1],
  additional_image_link: [/^https?:\/\/[!-~]{1,1990}(?<!\.svg(?:\?.*)?)$/, 0, 10],
  availability: [/^(?:in_stock|out_of_stock)$/, 1, 1],
  price: [/^\d+\.\d\d MXN$/, 1, 1],
  sale_price: [/^\d+\.\d\d MXN$/, 0, 1],
  condition: [/^new$/, 1, 1],
  brand: [/^.{1,70}$/su, 1, 1],
  item_group_id: [/^[\w-]{1,50}$/, 0, 1],
  size: [/^.{1,100}$/su, 0, 1],
  color: [/^.{1,100}$/su, 0, 1],
  pattern: [/^.{1,100}$/su, 0, 1],
  material: [/^.{1,100}$/su, 0, 1],
  identifier_exists: [/^no$/, 0, 1],
  shipping: [/^MX \d+\.\d\d MXN$/, 0, 1],
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
    const image = `/pictures/${'a'.repeat(64)}`;
    await importVariants(
      shop,
      ROWS.map((row) => ({ ...row, variant_attribute: row.variant_of === '' ? 'color' : '', image })),
    );

    for (const locale of LOCALES)
      for (const item of (await readNewFeed(feedPath(LOCALES, locale))).filter(
        ({ id }) => !/^[b-o]/.test(String(id)),
      )) {
        const { text } = await new Customer(shop).get(new URL(item['link']?.[0] ?? '').pathname);
        const [data] = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '');
        const product = data.hasVariant?.find(({ sku }: { readonly sku: string }) => sku === item['id']?.[0]) ?? data;
        expect(item).toMatchObject({
          ...{ id: [product.sku], title: [product.name], description: [product.description] },
          ...{ link: [product.offers.url], price: [`${product.offers.price} MXN`] },
          availability: [product.offers.availability.endsWith('InStock') ? 'in_stock' : 'out_of_stock'],
        });
        expect([item['image_link'], item['color']?.[0]]).toEqual([product.image, product.color]);
        expect(item['item_group_id']?.[0]).toBe(product.color && data.productGroupID);
      }
  },
);

test('variants are one group by the attribute that its main product names, and hidden ones are absent', async () => {
  const named = (attribute: string) =>
    importVariants(
      shop,
      ROWS.map((row) => ({ ...row, variant_attribute: row.variant_of === '' ? attribute : '' })),
    );
  await named('Size');
  await shop.queries.updateTable('products').set({ visible: 0 }).where('id', '=', 'playera-verde').execute();
  const group = { item_group_id: ['playera-roja'] };

  const feed = await readNewFeed();
  await named('color');
  const colored = itemOf(await readNewFeed(), 'playera-azul');
  await named('');
  const separate = itemOf(await readNewFeed(), 'playera-azul') ?? {};

  expect(itemOf(feed, 'playera-roja')).toMatchObject({ ...group, size: ['roja'], availability: ['in_stock'] });
  expect(itemOf(feed, 'playera-azul')).toMatchObject({ ...group, size: ['azul'], availability: ['out_of_stock'] });
  expect(itemOf(feed, 'playera-verde')).toBeUndefined();
  expect(colored).toMatchObject({ ...group, color: ['azul'] });
  expect(Object.keys({ size: '', ...colored })).toHaveLength(Object.keys(colored ?? {}).length + 1);
  expect(Object.keys(separate).filter((name) => ['item_group_id', 'size', 'color'].includes(name))).toEqual([]);
});

test('a product whose first picture is SVG has its first bitmap', async () => {
  const picture = `/pictures/${'b'.repeat(64)}`;
  const row = { productId: 'taza-talavera', position: 2, texts: '{}', image: picture };
  await shop.queries.insertInto('productPictures').values(row).execute();

  const item = itemOf(await readNewFeed(), 'taza-talavera') ?? {};

  await shop.queries.deleteFrom('productPictures').execute();
  expect([item['image_link'], item['additional_image_link']]).toEqual([[shop.url + picture], undefined]);
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
    image_link: [shop.url + pictures[0]?.image],
    additional_image_link: pictures.slice(1, 11).map(({ image }) => shop.url + image),
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
