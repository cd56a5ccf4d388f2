import { expect, test } from '@jest/globals';
import { cellsInExport } from '../../../../test/support/csv.js';
import { isOffered } from '../../../../test/support/locales.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import type { Locale } from '../../../shop/rules/locale.js';
import { insertFulfillment } from '../../../tables/fulfillments.js';
import { insertOrder } from '../../../tables/orders.js';
import { shipments } from '../feature.js';

const { db } = await openSharedDatabase();
const { queries } = db;

test.each(
  [
    ['es-MX', { 'Estado de la entrega': 'Enviado', Paquetería: 'Estafeta', 'Número de guía': 'GUIA-1' }],
    ['en', { 'Fulfillment state': 'Shipped', Carrier: 'Estafeta', 'Tracking number': 'GUIA-1' }],
  ].filter(isOffered) as [Locale, object][],
)('the CSV export in %s has the fulfillment of an order, its carrier and tracking number', async (locale, cells) => {
  const order = orderRow({ state: 'paid' });
  await insertOrder(queries, order, [LINE]);
  await insertFulfillment(queries, { orderId: order.id, attemptId: 'a', at: 1, stockTaken: 1 });
  const shipped = { state: 'shipped', carrier: 'estafeta', trackingNumber: 'GUIA-1' } as const;
  await queries.updateTable('fulfillments').set(shipped).where('orderId', '=', order.id).execute();

  expect(await cellsInExport(shipments, { queries }, order, locale)).toEqual(cells);
});
