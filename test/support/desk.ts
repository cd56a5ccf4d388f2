import { Shopper } from './shopper.js';
import type { TestShop } from './test-shop.js';

/** The desk's password in tests that open one. */
export const PASSWORD = 'una contraseña del mostrador';

/** A merchant's browser that has signed in. */
export async function openDesk(shop: TestShop): Promise<Shopper> {
  const merchant = new Shopper(shop);
  const answer = await merchant.post('/admin/sign-in', { password: PASSWORD });
  if (answer.headers['location'] !== '/admin') throw new Error(`the desk answered ${answer.status}`);
  return merchant;
}
