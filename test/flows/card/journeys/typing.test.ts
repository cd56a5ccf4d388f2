import { expect, test } from '@jest/globals';
import { openVisit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { contact } from '../../../support/customer.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { cards, fillCardPage, fillCart, typeCard, untilOrderIs } from '../../../support/steps.js';
import { enterForm, pasteInto, SCREENS, typeKeys } from '../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('on a phone card data that is typed key by key, with a digit that is added in the middle, pays', async () => {
  const { page } = await openVisit(shop, SCREENS.phone);
  const number = page.locator('#card-number-input');
  await fillCardPage(page, '445654000000063', typeKeys);

  await number.focus();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', '0', 'Tab']) await page.keyboard.press(key);
  expect(await number.inputValue()).toBe('4456 5400 0000 0063');
  await page.getByTestId('pay-card').click();

  await untilOrderIs(page, 'paid');
});

test('case 174: pasted texts with spaces and invisible characters lose no digit, choose the state and pay by card', async () => {
  const { page } = await openVisit(shop, { permissions: ['clipboard-read', 'clipboard-write'] });
  await fillCart(page, SHIPPED);
  await page.goto('/checkout/card');
  // The name is one word. The shop may have required fields of its own.
  const { last_name: _, ...others } = contact;
  const pasted = {
    ...others,
    ...{
      first_name: '\u2066Citlali\u2069',
      email: '\u200bcitlali@example.com\u2060',
      postal_code: ' \u202a06000\u202c',
    },
    ...{ neighborhood: 'Centro', street: 'Calle 5', phone: '\u202a+1 951\u2011555\u20110101\u202c' },
  };

  await enterForm(page, pasted, pasteInto);
  expect(await page.locator('#state').inputValue()).toBe('CMX');
  expect(await page.locator('#municipality').inputValue()).toBe('Cuauhtémoc');
  await typeCard(page, cards.authorized, pasteInto);
  await page.getByTestId('pay-card').click();

  await untilOrderIs(page, 'paid');
  const order = await shop.queries.selectFrom('orders').selectAll().executeTakeFirstOrThrow();
  expect(order).toMatchObject({
    firstName: 'Citlali',
    lastName: '',
    email: 'citlali@example.com',
    phone: '+19515550101',
  });
  expect(order.postalCode).toBe('06000');
});
