import { addAdminUser, hashPassword, LOW_COST } from '../../src/admin/credentials.js';
import type { Role } from '../../src/shop/rules/admin-user.js';
import { Customer } from './customer.js';
import { PASSWORD, type TestShop } from './test-shop.js';

export { PASSWORD };

export async function addUser({ context }: TestShop, name: string, role: Role): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  const { db, clock } = context.checkout;
  await addAdminUser(db.queries, { name, role, passwordHash }, clock.now());
}

/** Returns the client of an admin user with a session. */
export async function openBackOffice(shop: Pick<TestShop, 'url'>, name = 'admin'): Promise<Customer> {
  const merchant = new Customer(shop);
  const answer = await merchant.post('/admin/sign-in', { name, password: PASSWORD });
  if (answer.headers['location'] !== '/admin') throw new Error(`the back office answered ${answer.status}`);
  return merchant;
}

/** Returns the result in the redirect of an action in the back office. */
export function resultOf({ headers }: { readonly headers: Partial<Record<string, string>> }) {
  return headers['location']?.split('?result=')[1];
}
