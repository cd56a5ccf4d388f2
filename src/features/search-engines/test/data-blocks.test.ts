import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { Customer } from '../../../../test/support/customer.js';
import { EN } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { openTestShop } from '../../../../test/support/test-shop.js';

const shop = await openFileShop();

const MUG = '/products/taza-de-talavera';

test('a product text that would end the data block is escaped', async () => {
  const { queries } = shop.context.checkout.db;
  const { texts } = await queries
    .selectFrom('products')
    .select('texts')
    .where('id', '=', 'taza-talavera')
    .executeTakeFirstOrThrow();
  const hostile = JSON.stringify({ ...JSON.parse(texts), description: { 'es-MX': '</script><b>x' } });

  await queries.updateTable('products').set({ texts: hostile }).where('id', '=', 'taza-talavera').execute();
  const { text } = await new Customer(shop).get(`${MUG}?uncached`);
  await queries.updateTable('products').set({ texts }).where('id', '=', 'taza-talavera').execute();

  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  expect(JSON.parse(data)[0]).toMatchObject({ description: '</script><b>x' });
});

test('the offer of a product on sale has the price before as its strikethrough price, and other offers have none', async () => {
  const { queries } = shop;
  const products = queries.updateTable('products').where('id', '=', 'taza-talavera');
  const offerOn = async (path: string) => {
    const { text } = await new Customer(shop).get(path);
    return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')[0].offers;
  };

  await products.set({ priceBefore: centavos(34_900) }).execute();
  const onSale = await offerOn(`${MUG}?on=sale`);
  await products.set({ priceBefore: null }).execute();

  expect(onSale).toMatchObject({
    ...{ price: '289.00', priceCurrency: 'MXN' },
    priceSpecification: {
      ...{ '@type': 'UnitPriceSpecification', priceType: 'https://schema.org/StrikethroughPrice' },
      ...{ price: '349.00', priceCurrency: 'MXN' },
    },
  });
  expect(await offerOn(`${MUG}?after=sale`)).not.toHaveProperty('priceSpecification');
});

test('a shop with one locale has no alternate addresses', async () => {
  await using single = await openTestShop({ env: { LOCALES: EN } });

  for (const path of ['/', '/sitemap.xml'])
    expect((await new Customer(single).get(path)).text).not.toContain('hreflang');
});

test('a product with an SVG has no picture in its data block', async () => {
  const { text } = await new Customer(shop).get(`${MUG}?without=photo`);

  expect(text).not.toMatch(/"image":\[?"[^"]*\.svg/);
});

test('a photo of a product is the picture of its link previews and of its data block', async () => {
  const { queries } = shop;
  const image = `/pictures/${'a'.repeat(64)}`;
  const products = queries.updateTable('products').where('id', '=', 'taza-talavera');
  const { image: former } = await queries
    .selectFrom('products')
    .select('image')
    .where('id', '=', 'taza-talavera')
    .executeTakeFirstOrThrow();

  await products.set({ image }).execute();
  const { text } = await new Customer(shop).get(`${MUG}?with=photo`);
  await products.set({ image: former }).execute();

  expect(text).toContain(`<meta property="og:image" content="${shop.url}${image}">`);
  expect(text).toContain(`"image":["${shop.url}${image}"]`);
});

test('an uploaded picture of the start page is the picture of link previews without a photo', async () => {
  await using own = await openTestShop();
  const heroImage = `/pictures/${'b'.repeat(64)}`;

  await storeSettings(own.queries, { 'brand.heroImage': heroImage });
  own.clock.advance(1_000);
  const pages = await Promise.all(['/', MUG].map((path) => new Customer(own).get(path)));

  for (const { text } of pages) expect(text).toContain(`<meta property="og:image" content="${own.url}${heroImage}">`);
});
