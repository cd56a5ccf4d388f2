import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { cellsInExport } from '../../../../test/support/csv.js';
import { mugDelivery, pesos } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { attemptOf, record } from '../../../../test/support/refunds.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { brand } from '../../../locales/brand.js';
import { shipments } from '../feature.js';

const shop = await openFileShop({ env: { REFUND_PARTIAL: 'on' } });
await addUser(shop, 'packer', 'fulfillment');

/** Returns the text of the part of a page that begins with this mark. */
function partOf(html: string, mark: string, end = '</section>'): string {
  const from = html.indexOf(mark);
  const part = html.slice(from, html.indexOf(end, from));
  return from < 0 ? '' : part.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

test('case 210: a partly refunded order is listed to ship with what is left, and its slip says so', async () => {
  const { order } = await placePaidOrder(shop, mugDelivery);
  const merchant = await openBackOffice(shop);
  const before = await merchant.get(`/admin/orders/${order.number}/packing-slip`);
  await record(shop, await attemptOf(shop, order), { amount: centavos(100_50) });

  const list = await merchant.get('/admin/orders?fulfillment=to_ship');
  const slip = await merchant.get(`/admin/orders/${order.number}/packing-slip`);
  const packer = await (await openBackOffice(shop, 'packer')).get('/admin/orders?fulfillment=to_ship');
  await record(shop, await attemptOf(shop, order), { amount: centavos(order.total - 100_50) });

  const left = `Quedan ${pesos(order.total - 100_50)}`;
  expect(partOf(list.text, `>${order.number}</a>`, '</tr>')).toContain(left);
  expect([before, slip].map(({ text }) => text.includes('data-test="slip-refund"'))).toEqual([false, true]);
  expect(slip.text).not.toContain('$');
  expect(packer.text).toContain(order.number);
  expect(packer.text).not.toContain('Quedan');
  expect((await merchant.get('/admin/orders?fulfillment=to_ship')).text).not.toContain(order.number);
});

test.each(['preparing', 'ready'] as const)(
  'case 210: a refunded order that was %s is in no list of work, and list and CSV say not to ship it',
  async (state) => {
    const { order } = await placePaidOrder(shop, mugDelivery);
    const merchant = await openBackOffice(shop);
    await shop.queries.updateTable('fulfillments').set({ state }).where('orderId', '=', order.id).execute();
    const filter = `/admin/orders?fulfillment=${state === 'ready' ? 'ready' : 'to_ship'}`;
    const before = await merchant.get(filter);
    await record(shop, await attemptOf(shop, order));

    const work = await merchant.get(filter);
    const all = await merchant.get('/admin/orders');

    expect([before, work].map(({ text }) => text.includes(order.number))).toEqual([true, false]);
    expect(partOf(all.text, `>${order.number}</a>`, '</tr>')).toContain(' No enviar ');
    expect(await cellsInExport(shipments, shop, order)).toMatchObject({ 'Estado de la entrega': 'No enviar' });
  },
);

test('the overview counts the orders to ship, the list filters by fulfillment, and the packing slips of several orders are one page with the sender', async () => {
  const orders: Awaited<ReturnType<typeof placePaidOrder>>['order'][] = [];
  for (let count = 0; count < 4; count += 1) orders.push((await placePaidOrder(shop, mugDelivery)).order);
  const [first, second, shipped, blocked] = orders.map(({ number }) => number);
  const review = { reviewReason: 'second_payment' } as const;
  await shop.queries
    .updateTable('orders')
    .set(review)
    .where('number', '=', blocked ?? '')
    .execute();
  // What the merchant took off the second order.
  const lines = shop.queries.updateTable('orderLines').set({ discount: centavos(1_00) });
  await lines
    .where('orderId', '=', orders[1]?.id ?? '')
    .where('position', '=', 0)
    .execute();
  const packer = await openBackOffice(shop, 'packer');
  const fields = { to: 'shipped', carrier: 'dhl', tracking_number: '1234567890', version: '1' };
  await packer.post(`/admin/orders/${shipped}/fulfillment`, fields);

  const overview = await packer.get('/admin');
  const list = await packer.get('/admin/orders');
  const toShip = await packer.get('/admin/orders?fulfillment=to_ship');
  const gone = await packer.get('/admin/orders?fulfillment=shipped');
  const all = await packer.get('/admin/orders/packing-slips');
  const some = await packer.get(`/admin/orders/packing-slips?number=${second}&number=${shipped}`);
  const none = await packer.get(`/admin/orders/packing-slips?number=${shipped}`);

  expect(partOf(overview.text, 'data-test="admin-work"')).toContain('Por enviar 2 Pedidos pagados');
  expect(overview.text).toContain('href="/admin/orders?fulfillment=to_ship"');
  const rowOf = (number = '') => partOf(list.text, `>${number}</a>`, '</tr>');
  const states = [first, second, shipped, blocked].map(rowOf);
  for (const [nth, text] of ['Por preparar', 'Por preparar', 'Enviado', 'No enviar'].entries())
    expect(states[nth]).toContain(` ${text} ${orders[nth]?.shippingLabel} `);
  expect(list.text.match(/<input type="checkbox" form="selected-orders"[^>]* value="[^"]+"/g)).toHaveLength(2);
  const numbersIn = (html: string) => orders.map(({ number }) => number).filter((number) => html.includes(number));
  expect(numbersIn(toShip.text)).toEqual([first, second]);
  expect(numbersIn(gone.text)).toEqual([shipped]);
  expect(numbersIn(all.text)).toEqual([first, second]);
  expect(numbersIn(some.text)).toEqual([second]);
  expect(some.text).toContain('sin lista de empaque: 1.');
  expect([none.status, none.text.includes('sin lista de empaque: 1.')]).toEqual([200, true]);
  expect(all.text.match(/data-test="packing-slip"/g)).toHaveLength(2);
  expect(all.text.match(/data-test="slip-discount">Descuento de la tienda</g)).toHaveLength(1);
  for (const part of [brand.merchant.address, brand.merchant.phone, 'Eva Ruiz Nava']) expect(all.text).toContain(part);
});
