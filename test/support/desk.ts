import { Shopper } from './shopper.js';
import type { TestShop } from './test-shop.js';

/** The admin password of tests that enable the back office. */
export const PASSWORD = 'una contraseña del mostrador';

/** Returns the client of a merchant with an admin session. */
export async function openDesk(shop: TestShop): Promise<Shopper> {
  const merchant = new Shopper(shop);
  const answer = await merchant.post('/admin/sign-in', { password: PASSWORD });
  if (answer.headers['location'] !== '/admin') throw new Error(`the back office answered ${answer.status}`);
  return merchant;
}
