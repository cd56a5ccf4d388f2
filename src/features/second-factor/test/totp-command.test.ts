import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openCommands } from '../../../../test/support/commands.js';
import { addAdminUser } from '../../../admin/credentials.js';
import { findAdminUsers } from '../../../tables/admin-users.js';
import { openTotpSecret } from '../totp-secret.js';

const { folder, queries, admin, run } = await openCommands();
await addAdminUser(queries, { name: 'Ana', role: 'manager', passwordHash: 'hash' }, 1);

test('the admin command turns a second factor on with a QR code, and off, and stores no readable secret', async () => {
  // Its own process takes the session secret of the folder, as the shop does.
  const set = await run('admin', ['totp', 'ana', '--enable']);
  const [withFactor] = await findAdminUsers(queries);
  const list = await admin(['list']);
  const removed = await admin(['totp', 'ana', '--disable']);
  const [without] = await findAdminUsers(queries);
  const refused = [await admin(['totp', 'ana']), await admin(['totp', 'ana', '--enable', '--disable'])];

  expect([set, list, removed].map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  expect(set.stdout).toMatch(/secret {3}[A-Z2-7]{32}\n {2}address {2}otpauth:\/\/totp\//);
  expect(set.stdout).toContain('▄▄▄▄▄');
  const [, secret = ''] = /secret {3}(\w+)/.exec(set.stdout) ?? [];
  const sessionSecret = readFileSync(join(folder, 'data/session-secret'), 'utf8').trim();
  expect(withFactor?.totpSecret).not.toContain(secret);
  expect(openTotpSecret(withFactor?.totpSecret ?? '', withFactor?.id ?? '', [sessionSecret])).toBe(secret);
  expect(list.stdout).toBe('Ana\tmanager\ttwo-step verification\tactive\n');
  expect(without?.totpSecret).toBeNull();
  const events = await queries.selectFrom('adminUserEvents').select('kind').orderBy('id').execute();
  expect(events.map(({ kind }) => kind)).toEqual(['factor_set', 'factor_removed']);
  for (const each of refused)
    expect(each).toMatchObject({ code: 2, stderr: expect.stringContaining('--enable or --disable') });
});
