import { expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { newTotpSecret } from '../../../src/admin/credentials.js';
import { updateAdminUser } from '../../../src/db/admin-users.js';
import { ROLES } from '../../../src/domain/admin-user.js';
import { addUser, openBackOffice, PASSWORD } from '../../support/admin.js';
import { Customer } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
for (const role of ROLES) await addUser(shop, role, role);

test('only a manager has a link to the list of users', async () => {
  const linked: string[] = [];
  for (const role of ROLES)
    if ((await (await openBackOffice(shop, role)).get('/admin')).text.includes('href="/admin/users"'))
      linked.push(role);

  expect(linked).toEqual(['manager']);
});

test('the list of users shows roles and recent sign-ins, and no secret', async () => {
  await addUser(shop, 'listed', 'manager');
  const secret = newTotpSecret();
  await updateAdminUser(queries, 'listed', { totpSecret: secret, updatedAt: 1 });
  const code = new TOTP({ secret }).generate({ timestamp: shop.clock.now() });
  await new Customer(shop).post('/admin/sign-in', { name: 'unknown', password: PASSWORD });
  const client = new Customer(shop);
  await client.post('/admin/sign-in', { step: 'password', name: 'listed', password: PASSWORD });
  for (const typed of ['wrong', code]) await client.post('/admin/sign-in', { step: 'code', code: typed });
  const { text } = await (await openBackOffice(shop, 'manager')).get('/admin/users');

  for (const part of ['viewer', 'Consulta', 'Gerencia', 'Código incorrecto', 'Entró', 'Usuario desconocido'])
    expect(text).toContain(part);
  for (const { passwordHash, totpSecret } of await queries.selectFrom('adminUsers').selectAll().execute()) {
    expect(text).not.toContain(passwordHash);
    if (totpSecret !== null) expect(text).not.toContain(totpSecret);
  }
});
