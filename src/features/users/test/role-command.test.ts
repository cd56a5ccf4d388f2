import { expect, test } from '@jest/globals';
import { openCommands } from '../../../../test/support/commands.js';
import { addAdminUser } from '../../../admin/credentials.js';
import { findAdminUsers } from '../../../tables/admin-users.js';

const { queries, admin } = await openCommands();
await addAdminUser(queries, { name: 'Luz', role: 'viewer', passwordHash: 'hash' }, 1);

test('the admin command adds users of each role and changes roles, and the last manager stays one', async () => {
  const added = await admin(['add', 'Ana', '--role', 'fulfillment', '--password-stdin'], 'una contraseña larga');
  const promoted = await admin(['role', 'ana', '--role', 'manager']);
  const last = await admin(['role', 'ana', '--role', 'viewer']);
  // Luz is no manager, so the rule of the last one does not apply.
  const other = await admin(['role', 'luz', '--role', 'fulfillment']);
  const unknown = await admin(['role', 'luz', '--role', 'owner']);

  expect([added, promoted, other].map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('ana is the last manager') });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('viewer, fulfillment, manager') });
  expect((await findAdminUsers(queries)).map(({ name, role }) => [name, role])).toEqual([
    ['Ana', 'manager'],
    ['Luz', 'fulfillment'],
  ]);
  const events = await queries
    .selectFrom('adminUserEvents')
    .select(['by', 'kind', 'roleBefore', 'role'])
    .orderBy('id')
    .execute();
  expect(events[1]).toEqual({ by: 'npm run admin', kind: 'role_changed', roleBefore: 'fulfillment', role: 'manager' });
});
