import { expect, test } from '@jest/globals';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importVariants, loader, ROWS } from '../../../../test/support/variants.js';

const shop = await openFileShop();
const load = loader(shop);

const canonicalOf = (html: string) => /<link rel="canonical" href="[^"]*\/products\/([^"]+)"/.exec(html)?.[1];
const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
const sitemapSlugs = async () => {
  // A sitemap is kept for ten minutes.
  shop.clock.advance(600_001);
  return [...(await load('/sitemap.xml')).matchAll(/<loc>[^<]*\/(playera[^<]*)</g)].map(([, slug]) => slug);
};

test('search engines find the page of a group with all its variants, and each product once in the sitemap', async () => {
  await importVariants(shop);

  const page = await load('/products/playera-azul');
  const slugs = await sitemapSlugs();

  expect([canonicalOf(page), ...new Set(slugs)]).toEqual(['playera-roja', 'playera-roja']);
  const offer = (price: string, stock: string) => ({ price, availability: `https://schema.org/${stock}` });
  expect(dataOf(page)[0]).not.toHaveProperty('variesBy');
  expect(dataOf(page)[0]).toMatchObject({
    ...{ '@type': 'ProductGroup', name: 'Playera', productGroupID: 'playera-roja' },
    hasVariant: [
      { '@type': 'Product', name: 'Playera, roja', sku: 'playera-roja', offers: offer('250.00', 'InStock') },
      { name: 'Playera, azul', sku: 'playera-azul', offers: offer('280.00', 'OutOfStock') },
      { name: 'Playera, verde', sku: 'playera-verde', offers: offer('250.00', 'InStock') },
    ],
  });
});

test('search engines find the first visible variant of a group, and a single visible variant as a product', async () => {
  await importVariants(shop, [{ ...ROWS[0], visible: 'no' }, ...ROWS.slice(1)]);
  const group = await load('/products/playera-verde');
  const slugs = await sitemapSlugs();
  await importVariants(shop, [{ ...ROWS[1], visible: 'no' }]);
  const single = await load('/products/playera-verde');

  expect([canonicalOf(group), ...new Set(slugs)]).toEqual(['playera-azul', 'playera-azul']);
  expect([canonicalOf(single), dataOf(single)[0]['@type']]).toEqual(['playera-verde', 'Product']);
});

test('search engines find in which attribute the variants differ, if the merchant named it', async () => {
  const name = (attribute: string) =>
    importVariants(
      shop,
      ROWS.map((row) => ({ ...row, variant_attribute: attribute })),
    );
  await name('color');
  const [group] = dataOf(await load('/products/playera-azul'));
  await name('');

  expect(group.variesBy).toBe('https://schema.org/color');
  expect(group.hasVariant.map(({ color }: { readonly color: string }) => color)).toEqual(['roja', 'azul', 'verde']);
});
