import { expect, test } from '@jest/globals';
import { insertOrder } from '../../../../src/db/orders.js';
import { openBackOffice } from '../../../support/admin.js';
import { readCsv } from '../../../support/csv.js';
import { LINE, orderRow } from '../../../support/rows.js';
import { openFileShop } from '../../../support/shared-shop.js';

const shop = await openFileShop();

test('the CSV export names the products of an order in English in Spanish, and those that are gone as ordered', async () => {
  const lines = ['cafe-chiapas', 'gone'].map((productId) => ({ ...LINE, productId, name: `Name of ${productId}` }));
  await insertOrder(shop.context.checkout.db.queries, orderRow({ locale: 'en' }), lines);

  const { text } = await (await openBackOffice(shop)).get('/admin/orders.csv');

  expect(readCsv(text)('Artículo')).toEqual(['Café de altura de Chiapas', 'Name of gone']);
});
