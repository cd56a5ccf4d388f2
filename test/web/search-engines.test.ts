import { expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { EN } from '../support/locales.js';
import { openPaidPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openFileShop();

const MUG = '/products/taza-de-talavera';
const langOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];

test('order, errors and search results are not indexed, and the other pages are', async () => {
  const { customer, orderPath } = await openPaidPage(shop);
  await customer.get(orderPath.replace('/orders/', '/checkout/return/'));
  const isHidden = async (path: string) =>
    (await customer.get(path)).text.includes('<meta name="robots" content="noindex">');

  for (const path of [orderPath, '/?q=taza', '/nowhere']) expect([path, await isHidden(path)]).toEqual([path, true]);
  for (const path of ['/', MUG, '/pages/terms', '/cart']) expect([path, await isHidden(path)]).toEqual([path, false]);
});

test('a shop with one locale has no address of another locale and no language form', async () => {
  await using single = await openTestShop({ env: { LOCALES: EN } });
  const { text } = await new Customer(single).get('/');

  expect(langOf(text)).toBe(EN);
  expect(text).not.toContain('action="/language"');
  expect((await new Customer(single).get('/en')).status).toBe(404);
});
