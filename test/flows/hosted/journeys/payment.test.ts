import { expect, test } from '@jest/globals';
import { openVisit } from '../../../support/browser.js';
import { contact } from '../../../support/customer.js';
import { expectFields, expectPaidOnce, moves, submitTwice } from '../../../support/history.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import {
  cards,
  fillCheckout,
  HOSTED_PAGE,
  payWith,
  reachHostedPage,
  submitHosted,
  untilOrderIs,
} from '../../../support/steps.js';
import { typeInto } from '../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('on the hosted page a payment that is cancelled keeps the cart, and the next attempt gets a new page and pays', async () => {
  const { page } = await openVisit(shop);
  const first = await reachHostedPage(page);
  await page.getByTestId('cancel').click();

  await untilOrderIs(page, 'cancelled');
  expect(await page.getByTestId('cart-count').textContent()).toBe('1');
  await page.getByRole('link', { name: 'Intentar otra vez' }).click();
  expect(await submitHosted(page)).not.toBe(first);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('in the hosted flow Back and reload post nothing, keep the fields, and charge once', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  await fillCheckout(page);

  await submitTwice(visit, contact);
  await moves(visit, 'reload');
  await moves(visit, 'goBack', '**/checkout?answer=1');
  await expectFields(page, contact);
  await moves(visit, 'goBack', '**/checkout');
  // The browser may show the address as it was typed here.
  await expectFields(page, { ...contact, email: await page.locator('#email').inputValue() });
  await typeInto(page.locator('#email'), contact.email);
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE);
  await payWith(page, cards.succeeds);

  await expectPaidOnce(visit, shop);
  expect(shop.control.sessions()).toHaveLength(1);
});
