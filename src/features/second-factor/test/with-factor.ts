/** Users with a second factor, and their second step of the sign-in. */
import { TOTP } from 'otpauth';
import { addUser } from '../../../../test/support/admin.js';
import type { Customer } from '../../../../test/support/customer.js';
import type { TestShop } from '../../../../test/support/test-shop.js';
import type { Role } from '../../../shop/rules/admin-user.js';
import { updateAdminUser } from '../../../tables/admin-users.js';
import { newTotpSecret } from '../totp.js';

/** Adds a user with a second factor. Returns the code of a time step, counted from the present one. */
export async function addWithFactor(shop: TestShop, name: string, role: Role = 'manager') {
  await addUser(shop, name, role);
  const secret = newTotpSecret();
  await updateAdminUser(shop.queries, name, { totpSecret: secret, updatedAt: 1 });
  return (steps = 0) => codeOf(shop, secret, steps);
}

export function codeOf(shop: Pick<TestShop, 'clock'>, secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: shop.clock.now() + steps * 30_000 });
}

export function enterCode(client: Customer, code: string) {
  return client.post('/admin/sign-in/code', { code });
}
