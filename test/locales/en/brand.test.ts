import { expect, test } from '@jest/globals';
import { changeBrand } from '../../support/changed-brand.js';
import { Customer } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';

changeBrand({ texts: { 'es-MX': { announcement: 'Cerrado el 1 de enero' } } });
const shop = await openFileShop();

test('the announcement of one locale is on no page of another', async () => {
  const [home, english] = await Promise.all(['/', '/en'].map((path) => new Customer(shop).get(path)));

  expect([home, english].map((page) => page?.text.includes('data-test="announcement"'))).toEqual([true, false]);
});
