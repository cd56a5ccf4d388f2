import { expect, test } from '@jest/globals';
import { addUser, openBackOffice, ROLES, resultOf } from '../../../../test/support/admin.js';
import { address, mugDelivery, mugDeliveryTotal, readOrderPage } from '../../../../test/support/customer.js';
import { orderOfSession } from '../../../../test/support/inspect.js';
import { openHostedPage, placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import type { Role } from '../../../shop/rules/admin-user.js';

const shop = await openFileShop();
const { control } = shop.simulator;
const merchant = await openBackOffice(shop);

test('an admin user corrects the address of a paid order once, and its customer sees the new address', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop, '1', mugDelivery);
  const read = () => orderOfSession(shop, session);
  const unpaid = await read();
  const path = `/admin/orders/${unpaid.number}`;
  const before = await merchant.post(`${path}/address`, { ...address, version: String(unpaid.version) });
  control.paySession(session);
  await customer.get(returnPath);
  const { version } = await read();
  const fields = { ...address, street: 'Calle Reforma 9', version: String(version) };

  const refused = await merchant.post(`${path}/address`, { ...fields, state: 'CMX', phone: '1' });
  const answer = await merchant.post(`${path}/address`, fields);
  const stale = await merchant.post(`${path}/address`, { ...fields, street: 'Calle Vieja 1' });
  const page = await merchant.get(answer.headers['location'] ?? '');
  const own = await customer.get(orderPath);

  expect([before, answer].map(resultOf)).toEqual(['address_not_open', 'address_corrected']);
  expect([stale.status, stale.text.includes('value="Calle Vieja 1"')]).toEqual([409, true]);
  expect(refused.status).toBe(422);
  for (const name of ['postal_code', 'phone']) expect(refused.text).toContain(`id="${name}-error"`);
  expect(refused.text).toContain('value="Calle Reforma 9"');
  expect(await read()).toMatchObject({
    street: 'Calle Reforma 9',
    state: 'paid',
    total: mugDeliveryTotal,
  });
  expect(page.text).toContain('Un usuario del panel corrigió la dirección de entrega');
  expect(readOrderPage(own.text).detail).toBe(true);
  expect(own.text).toContain('Calle Reforma 9');
  expect(shop.logged.join('')).not.toContain('Reforma');
});

test('a viewer sees no form for the address, and managers and fulfillment do', async () => {
  const { order } = await placePaidOrder(shop, mugDelivery);
  for (const role of ROLES) await addUser(shop, role, role);
  const mayChange = async (role: Role) =>
    (await (await openBackOffice(shop, role)).get(`/admin/orders/${order.number}`)).text.includes('admin-address-save');

  expect(await Promise.all(['viewer', 'fulfillment', 'manager'].map((role) => mayChange(role as Role)))).toEqual([
    ...[false, true, true],
  ]);
});
