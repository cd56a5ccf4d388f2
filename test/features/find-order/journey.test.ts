import { test } from '@jest/globals';
import { brand } from '../../../src/locales/brand.js';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { contact } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';
import { typeInto } from '../../support/typing.js';

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
