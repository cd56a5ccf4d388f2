import { expect, test } from '@jest/globals';
import { recordEvent } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { insertOrder } from '../../../tables/orders.js';

const shop = await openSharedShop();
const { queries } = shop;
const AT = Date.UTC(2026, 10, 20, 18);

test('the copy has the orders, addresses, invoice requests and mails of one mailbox, no other customer and no secret, and each history names the user', async () => {
  const mine = { email: 'Luz@example.com', firstName: 'Luz', street: 'Calle 1', note: 'Llamar antes', createdAt: AT };
  const first = orderRow({ ...mine, number: 'TG-AAAA-2222', token: 'secret-1', total: centavos(150_00) });
  const second = orderRow({ ...mine, number: 'TG-AAAA-3333', email: 'luz@EXAMPLE.com', contactHash: 'secret-2' });
  const other = orderRow({ number: 'TG-AAAA-4444', email: 'luzx@example.com', firstName: 'Eva' });
  for (const order of [first, second, other]) await insertOrder(queries, order, [LINE]);
  await recordEvent(queries, { orderId: first.id, at: AT, kind: 'job_done', detail: { job: 'receipt' } });
  const address = {
    orderId: first.id,
    replacedAt: AT,
    by: 'ana',
    address: JSON.stringify({ street: 'Calle vieja 9' }),
  };
  await queries
    .insertInto('formerAddresses' as never)
    .values(address as never)
    .execute();
  const contact = {
    orderId: first.id,
    replacedAt: AT,
    by: 'ana',
    contact: JSON.stringify({ firstName: 'Lucía' }),
    token: 'secret-3',
  };
  await queries
    .insertInto('formerContacts' as never)
    .values(contact as never)
    .execute();
  const request = { rfc: 'XAXX010101000', name: 'LUZ', taxRegime: '616', cfdiUse: 'S01', postalCode: '68000' };
  const times = { createdAt: AT, updatedAt: AT, version: 1 };
  const row = { orderId: first.id, ...request, email: 'luz@example.com', ...times };
  await queries
    .insertInto('invoiceRequests' as never)
    .values(row as never)
    .execute();
  const merchant = await openBackOffice(shop);

  const { text, headers } = await merchant.post('/admin/orders/TG-AAAA-2222/data', {});

  const copy = JSON.parse(text);
  expect(headers['content-disposition']).toContain('datos-TG-AAAA-2222.json');
  expect(copy.orders.map(({ number }: { readonly number: string }) => number).sort()).toEqual([
    first.number,
    second.number,
  ]);
  expect(copy.orders.find(({ number }: { readonly number: string }) => number === first.number)).toMatchObject({
    ...{ placedAt: '2026-11-20 12:00:00', total: '150.00', note: 'Llamar antes' },
    customer: { firstName: 'Luz', street: 'Calle 1' },
    lines: [{ name: expect.any(String), quantity: 1, unitPrice: '1.00' }],
    formerAddresses: [{ address: { street: 'Calle vieja 9' }, replacedAt: '2026-11-20 12:00:00' }],
    formerContacts: [{ contact: { firstName: 'Lucía' } }],
    invoiceRequests: [{ rfc: 'XAXX010101000', issuedAt: null, createdAt: '2026-11-20 12:00:00' }],
    history: [{ at: '2026-11-20 12:00:00', event: 'Recibo por correo' }],
  });
  expect(text).not.toMatch(/secret|Eva|ana/);
  const events = await queries
    .selectFrom('orderEvents')
    .selectAll()
    .where('kind', '=', 'personal_data_copied')
    .execute();
  expect(new Set(events.map(({ orderId }) => orderId))).toEqual(new Set([first.id, second.id]));
  expect(events.map(({ detail }) => detail)).toEqual(Array.from({ length: 2 }, () => '{"by":"admin"}'));
});

test('an erased order has no copy, and a viewer gets none', async () => {
  await insertOrder(queries, orderRow({ number: 'TG-AAAA-2222', firstName: '', email: '' }), [LINE]);
  await addUser(shop, 'vera', 'viewer');
  const merchant = await openBackOffice(shop);
  const viewer = await openBackOffice(shop, 'vera');

  const erased = await merchant.post('/admin/orders/TG-AAAA-2222/data', {});
  const refused = await viewer.post('/admin/orders/TG-AAAA-2222/data', {});

  expect([resultOf(erased), refused.status]).toEqual(['erased_before', 403]);
});
