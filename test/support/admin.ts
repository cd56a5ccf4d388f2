import { Customer } from './customer.js';
import type { TestShop } from './test-shop.js';

/** The admin password of tests that enable the back office. */
export const PASSWORD = 'una contraseña de administración';

/** Returns the client of a merchant with an admin session. */
export async function openBackOffice(shop: TestShop): Promise<Customer> {
  const merchant = new Customer(shop);
  const answer = await merchant.post('/admin/sign-in', { password: PASSWORD });
  if (answer.headers['location'] !== '/admin') throw new Error(`the back office answered ${answer.status}`);
  return merchant;
}
