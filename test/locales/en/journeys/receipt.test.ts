import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../support/audit.js';
import { openVisit } from '../../../support/browser.js';
import { Customer } from '../../../support/customer.js';
import { theOrder } from '../../../support/inspect.js';
import { receiveMails } from '../../../support/mailbox.js';
import { payByCard } from '../../../support/purchase.js';
import { openFileShop } from '../../../support/shared-shop.js';

const shop = await openFileShop();

test('the receipt of a purchase in English is accessible HTML and equal text in that locale', async () => {
  const { page } = await openVisit(shop);
  const customer = await Customer.withCart(shop);
  customer.agent.set('Accept-Language', 'en');

  await payByCard(shop, customer);
  const order = await theOrder(shop);
  const link = `${shop.url}/orders/${order.token}`;
  const mails = await receiveMails(shop);
  const receipt = mails.find(({ subject }) => subject.includes(order.number));
  await page.setContent(receipt?.html ?? '');

  for (const part of ['Thank you, Eva!', 'Blue talavera mug', 'MX$289.00', link]) expect(receipt?.text).toContain(part);
  expect(await page.locator('h1').textContent()).toBe('Thank you, Eva!');
  expect(await page.locator('thead + tbody tr').allInnerTexts()).toEqual(['Blue talavera mug × 1\tMX$289.00']);
  expect(await page.getByRole('link').getAttribute('href')).toBe(link);
  await expectAccessible(page);
});
