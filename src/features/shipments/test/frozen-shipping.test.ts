import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { mugDelivery } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';

const shop = await openFileShop();

test('list, packing slip, order page and allowed changes of a paid order follow what it froze of its shipping option', async () => {
  const { order, customer, orderPath } = await placePaidOrder(shop, mugDelivery);
  const frozen = { shippingLabel: 'Bicicleta', shippingDaysMin: 17, shippingDaysMax: 18 };
  const set = (change: object) => shop.queries.updateTable('orders').set(change).where('id', '=', order.id).execute();
  const merchant = await openBackOffice(shop);
  const path = `/admin/orders/${order.number}`;

  await set(frozen);
  const pages = await Promise.all(
    ['/admin/orders', '/admin/orders/packing-slips', `${path}/packing-slip`].map((each) => merchant.get(each)),
  );
  const delivered = await merchant.get(path);
  const page = await customer.get(orderPath);
  await set({ shippingKind: 'pickup' });
  const collected = await merchant.get(path);

  for (const { text } of pages) expect(text).toContain('Bicicleta');
  expect(page.text).toContain('Llega en 17 a 18 días hábiles.');
  expect(delivered.text).toContain('id="carrier"');
  expect(collected.text).not.toContain('id="carrier"');
  expect(collected.text).toContain('value="ready"');
});
