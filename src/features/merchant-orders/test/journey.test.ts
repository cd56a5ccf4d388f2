import { expect, test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { hasFeature } from '../../../../test/support/features.js';
import { aimAt } from '../../../../test/support/press.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import {
  cards,
  fillContact,
  PHONE,
  payWith,
  signIn,
  submitHosted,
  untilOrderIs,
} from '../../../../test/support/steps.js';
import { typeInto } from '../../../../test/support/typing.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met by the form of a merchant order on a phone, with errors and with the total, and by the order with its payment link, which another person pays', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await signIn(page);

  await page.goto('/admin/orders');
  await page.locator('a[href="/admin/orders/new"]').click();
  await page.locator('#discount_kind').selectOption('percent');
  await page.locator('#shipping_price').fill('gratis');
  await page.getByTestId('new-order-total').click();
  await page.locator('#errors:focus').waitFor();
  for (const field of ['#discount_value', '#shipping_price']) await page.locator(`${field}[aria-invalid]`).waitFor();
  await expectAccessible(page);
  await page.locator('[data-pickup]').check();
  await page.locator('#street').waitFor({ state: 'hidden' });
  await page.locator('[name="shipping_option"]:not([data-pickup])').first().check();
  await typeInto(page.locator('#product_search'), SHIPPED);
  await page.getByTestId('new-order-search').click();
  await page.getByTestId('new-order-found').waitFor();
  await expectAccessibleInAll(page);
  await page.getByTestId('new-order-add').click();
  await page.getByTestId('new-order-rows').waitFor();
  await typeInto(page.locator('#discount_value'), '10');
  await typeInto(page.locator('#shipping_price'), '50');
  await fillContact(page);
  await page.getByTestId('new-order-total').click();
  const summary = page.getByTestId('new-order-summary');
  expect(await summary.getByTestId('discount').textContent()).toContain('−$28.90');
  await expectAccessible(page);
  await page.getByTestId('new-order-create').click();
  await page.getByTestId('admin-result').waitFor();
  const end = page.getByRole('link', { name: 'Terminar este enlace' });
  if (hasFeature('order-actions')) {
    await end.click();
    await page.locator('#cancel_reason').waitFor();
  } else expect(await end.count()).toBe(0);
  await expectAccessible(page);

  const link = await page.locator('#payment_link').inputValue();
  const other = (await openVisit(shop)).page;
  await other.goto(link);
  expect(await other.getByTestId('discount').textContent()).toContain('Descuento de la tienda');
  await submitHosted(other);
  await payWith(other, cards.succeeds);
  await untilOrderIs(other, 'paid');
  expect(visit.sent.filter((each) => each.includes('wa.me'))).toEqual([]);
});

test('a press of a delivery option of a merchant order counts although the question about a mistyped address opens', async () => {
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto('/admin/orders/new');
  const option = page.locator('[name="shipping_option"]').last();
  await typeInto(page.locator('#email'), 'ana@gmial.com');

  await (await aimAt(page, option))();
  await page.getByTestId('use-email').waitFor();

  expect(await option.isChecked()).toBe(true);
});
