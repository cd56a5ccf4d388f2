import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../../test/support/admin.js';
import { readCsv } from '../../../../../test/support/csv.js';
import { LINE, orderRow } from '../../../../../test/support/rows.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { insertOrder } from '../../../../tables/orders.js';

const shop = await openFileShop();

test('the CSV export names the products of an order in English in Spanish, and those that are gone as ordered', async () => {
  const lines = ['cafe-chiapas', 'gone'].map((productId) => ({ ...LINE, productId, name: `Name of ${productId}` }));
  await insertOrder(shop.context.checkout.db.queries, orderRow({ locale: 'en' }), lines);

  const { text } = await (await openBackOffice(shop)).get('/admin/orders.csv');

  expect(readCsv(text)('Artículo')).toEqual(['Café de altura de Chiapas', 'Name of gone']);
});
