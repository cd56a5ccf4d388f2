import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { contact } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { typeInto } from '../../../../test/support/typing.js';
import { brand } from '../../../locales/brand.js';

const shop = await openFileShop({ foreignGateway: true });

test('WCAG 2.2 AA is met by the search for a lost order, with errors and after the mail is sent', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await page.goto('/orders');
  await page.getByTestId('find-order').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await typeInto(page.locator('#number'), `${brand.orderPrefix.toLowerCase()} 7kmx 2afr`);
  await typeInto(page.locator('#email'), contact.email);
  await page.getByTestId('find-order').click();
  await page.getByTestId('link-sent').waitFor();
  await expectAccessible(page);
});
