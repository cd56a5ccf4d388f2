import { expect, test } from '@jest/globals';
import { insertFulfillment } from '../../../src/db/fulfillments.js';
import { insertOrder } from '../../../src/db/orders.js';
import { openBackOffice } from '../../support/admin.js';
import { readCsv } from '../../support/csv.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();
const merchant = await openBackOffice(shop);

test.each([
  ['es-MX', 'Pedido', ['Estado de la entrega', 'Paquetería', 'Número de guía'], ['Enviado', 'Estafeta', 'GUIA-1']],
  ['en', 'Order', ['Fulfillment state', 'Carrier', 'Tracking number'], ['Shipped', 'Estafeta', 'GUIA-1']],
])(
  'the CSV export in %s has the fulfillment, its carrier and tracking number in the first row of an order',
  async (locale, number, names, shipment) => {
    const order = orderRow({ state: 'paid' });
    await insertOrder(shop.queries, order, [LINE, { ...LINE, productId: 'other' }]);
    await insertFulfillment(shop.queries, { orderId: order.id, attemptId: 'a', at: 1, stockTaken: 1 });
    const shipped = { state: 'shipped', carrier: 'estafeta', trackingNumber: 'GUIA-1' } as const;
    await shop.queries.updateTable('fulfillments').set(shipped).where('orderId', '=', order.id).execute();
    await merchant.post('/language', { lang: locale });

    const { text } = await merchant.get('/admin/orders.csv');

    const cell = readCsv(text);
    const isOwn = cell(number).map((each) => each === order.number);
    const cells = names.map((name) => cell(name).filter((_, row) => isOwn[row]));
    expect(cells).toEqual(shipment.map((value) => [value, '']));
  },
);
