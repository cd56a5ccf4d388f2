/** The form of the product list that a sign-in restores. */
import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../../test/support/browser.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../../test/support/steps.js';
import { PASSWORD } from '../../../../../test/support/test-shop.js';
import { takeStock } from '../../../../tables/stock.js';

const shop = await openFileShop();

test('a stock that was sold while the session had ended is not overwritten by the form that the sign-in restores', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 409/);
  const [sold, price] = [page.locator('[name="stock:huipil-istmo"]'), page.locator('[name="price:huipil-istmo"]')];
  await signIn(page);
  await page.goto('/admin/products');
  await sold.fill('9');
  await price.fill('1400');
  await shop.queries.deleteFrom('sessions').execute();
  await page.getByTestId('admin-save').click();
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await takeStock(shop.queries, [{ productId: 'huipil-istmo', quantity: 1 }], shop.clock.now());
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByText('Tu sesión había terminado').waitFor();

  await page.getByTestId('admin-save').click();

  await page.getByText('Un producto cambió mientras lo editabas').waitFor();
  expect([await sold.inputValue(), await price.inputValue()]).toEqual(['9', '1400']);
});
