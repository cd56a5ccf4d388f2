import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();

test('the sitemap is built once in ten minutes, with any query string, and then without a hidden product', async () => {
  const { queries } = shop.context.checkout.db;
  const slugs = async (path = '/sitemap.xml', encoding = 'gzip') => {
    const { text, headers } = await supertest(shop.url).get(path).set('Accept-Encoding', encoding);
    expect(headers['content-encoding']).toBe(encoding || undefined);
    expect(headers['vary']).toContain('Accept-Encoding');
    return [...text.matchAll(/<loc>[^<]*\/products\/([^<]+)<\/loc>/g)].map(([, slug]) => slug);
  };
  const before = await slugs();

  await queries.updateTable('products').set({ visible: 0 }).where('id', '=', 'taza-talavera').execute();
  const during = [await slugs('/sitemap.xml?2'), await slugs('/sitemap.xml', '')];
  shop.clock.advance(600_001);
  const after = await slugs();
  await queries.updateTable('products').set({ visible: 1 }).where('id', '=', 'taza-talavera').execute();

  expect(before.filter((slug) => slug === 'taza-de-talavera')).toHaveLength(2);
  expect(during).toEqual([before, before]);
  expect(after).not.toContain('taza-de-talavera');
});
