import { expect, test } from '@jest/globals';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { dumpDatabase } from '../../../../test/support/inspect.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { erasePersonalData } from '../../../tables/personal-data.js';

const shop = await openFileShop();
await addUser(shop, 'packer', 'fulfillment');
await addUser(shop, 'reader', 'viewer');

test('a note is written and changed by manager and fulfillment, read by a viewer, and never shown to the customer', async () => {
  const { order, customer, orderPath } = await placePaidOrder(shop);
  const path = `/admin/orders/${order.number}`;
  const [manager, packer, viewer] = [
    await openBackOffice(shop),
    await openBackOffice(shop, 'packer'),
    await openBackOffice(shop, 'reader'),
  ];
  const version = String(order.version);

  const saved = await packer.post(`${path}/note`, { order_note: ' Llama\r\nantes de <b>ir</b> ', version });
  const stale = await manager.post(`${path}/note`, { order_note: 'Con moño', version });
  const card = await manager.post(`${path}/note`, {
    order_note: 'tarjeta 4111 1111 1111 1111',
    version: String(order.version + 1),
  });
  const long = await manager.post(`${path}/note`, { order_note: 'x'.repeat(501), version: String(order.version + 1) });
  const forbidden = await viewer.post(`${path}/note`, { order_note: 'x', version: String(order.version + 1) });
  const read = await viewer.get(path);
  const changed = await manager.post(`${path}/note`, { order_note: 'Con moño', version: String(order.version + 1) });
  const page = await manager.get(`${path}?result=${resultOf(changed)}`);
  const own = await customer.get(orderPath);

  expect([saved, changed].map(resultOf)).toEqual(['note_saved', 'note_saved']);
  expect([stale, card, long, forbidden].map(({ status }) => status)).toEqual([409, 422, 422, 403]);
  expect(stale.text).toContain('Con moño</textarea>');
  for (const { text } of [card, long]) expect(text).toContain('id="order_note-error"');
  expect(await dumpDatabase(shop)).not.toMatch(/4111[ -]?1111/);
  expect(read.text).toContain('Llama antes de &lt;b&gt;ir&lt;/b&gt;');
  expect(read.text).not.toContain('name="order_note"');
  expect(page.text).toContain('notice-good" role="status"');
  expect(page.text).toMatch(/cambió la nota interna\.<\/strong> Usuario: packer\./);
  expect(page.text).toMatch(/cambió la nota interna\.<\/strong> Usuario: admin\./);
  expect(own.text).not.toContain('moño');
});

test('the erasure of personal data removes the note, and an erased order gets no other', async () => {
  const { order } = await placePaidOrder(shop);
  const manager = await openBackOffice(shop);
  const path = `/admin/orders/${order.number}`;
  await manager.post(`${path}/note`, { order_note: 'Portón verde', version: String(order.version) });

  await erasePersonalData(shop.queries, [order.id]);
  const { version, note } = await shop.queries
    .selectFrom('orders')
    .select(['version', 'note'])
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  const again = await manager.post(`${path}/note`, { order_note: 'Otra', version: String(version) });

  expect([note, resultOf(again)]).toEqual(['', 'note_closed']);
  expect(await dumpDatabase(shop)).not.toContain('Portón');
});
