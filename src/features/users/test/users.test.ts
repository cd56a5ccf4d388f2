import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { addUser, openBackOffice, PASSWORD, ROLES, resultOf } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { updateAdminUser } from '../../../tables/admin-users.js';

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
  await updateAdminUser(queries, 'listed', { totpSecret: 'a stored secret', updatedAt: 1 });
  for (const name of ['unknown', 'manager'])
    await new Customer(shop).post('/admin/sign-in', { name, password: 'wrong' });
  const { text } = await (await openBackOffice(shop, 'manager')).get('/admin/users');

  for (const part of [
    'viewer',
    'Consulta',
    'Gerencia',
    'Contraseña incorrecta',
    'Entró',
    'Verificación en dos pasos',
    'Usuario desconocido',
  ])
    expect(text).toContain(part);
  for (const { passwordHash, totpSecret } of await queries.selectFrom('adminUsers').selectAll().execute()) {
    expect(text).not.toContain(passwordHash);
    if (totpSecret !== null) expect(text).not.toContain(totpSecret);
  }
});

test('without a mail server the manager sees that the link was not sent, and gets a first password instead', async () => {
  writeFileSync(join(shop.directory, 'mail'), 'no folder');
  const manager = await openBackOffice(shop, 'manager');
  const form = { name: 'unreached', role: 'viewer', email: 'eva@example.com', own_password: PASSWORD };

  const added = await manager.post('/admin/users', form);
  const page = await manager.get(added.headers['location'] ?? '');
  const reset = await manager.post('/admin/users/unreached/reset', { reset_password: PASSWORD, email: '' });

  expect(resultOf(added)).toBe('mail_failed');
  expect(page.text).toContain('No pudimos enviar el correo');
  expect(reset.text).toContain('class="admin-secret"');
});
