import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from '../support/admin.js';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { address, contact, invoiceForm, mugDelivery } from '../support/customer.js';
import { openHostedPage, placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { fillCart } from '../support/steps.js';
import { SCREENS, typeInto } from '../support/typing.js';

const shop = await openFileShop({ foreignGateway: true, env: { REFUND_PARTIAL: 'on' } });

const FIELDS = ':is(input:not([type="hidden"], [type="radio"], [type="checkbox"]), textarea):visible';
/** What is typed by field name or id. Other fields get a text. */
const TYPED: Readonly<Record<string, string>> = {
  ...contact,
  ...address,
  ...invoiceForm,
  number: 'TG-7KMX-2AFR',
  'card-number-input': '4456 5400 0000 0063',
  card_number: '4456 5400 0000 0063',
  'expiry-input': '11/39',
  expiry: '11/39',
  'cvv-input': '918',
  cvv: '918',
  code: '123456',
};
const BY_TYPE: Readonly<Record<string, string>> = { number: '12', email: contact.email };

/** Types key by key into a field. Returns its name, what was typed and what it holds. */
async function typeSample(field: Locator): Promise<readonly string[]> {
  const [id, type] = [(await field.getAttribute('id')) ?? '', (await field.getAttribute('type')) ?? ''];
  // In this date every order of day and month is the same.
  if (type === 'date') {
    await field.pressSequentially('11112026');
    return [id, '2026-11-11', await field.inputValue()];
  }
  const text = TYPED[id] ?? BY_TYPE[type] ?? 'Ñandú 12';
  await typeInto(field, text);
  return [id, text, await field.inputValue()];
}

/** Opens a page and types into each of its fields. */
async function typeEverywhere(page: Page, path: string): Promise<void> {
  await page.goto(path);
  expect(page.url()).toContain(path);
  await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
  const fields = await page.locator(FIELDS).all();
  expect([path, fields.length]).not.toEqual([path, 0]);
  for (const field of fields) {
    const [name, typed, held] = await typeSample(field);
    expect([path, name, held]).toEqual([path, name, typed]);
  }
}

test.each(['phone', 'desktop'] as const)(
  'on a %s each field of each form of shop and hosted page holds what is typed key by key',
  async (screen) => {
    await using visit = await openVisit(shop, SCREENS[screen]);
    const { page } = visit;
    const { order } = await placePaidOrder(shop);
    const { session } = await openHostedPage(shop);
    await fillCart(page, SHIPPED);

    for (const path of [
      ...['/', '/products/taza-de-talavera', '/cart', '/checkout', '/checkout/card', '/orders'],
      ...[`/orders/${order.token}/invoice`, `${shop.simulator.url}/checkout/${session}`, `${shop.simulator.url}/`],
    ])
      await typeEverywhere(page, path);
  },
);

test.each(['phone', 'desktop'] as const)(
  'on a %s each field of each form of the back office holds what is typed key by key',
  async (screen) => {
    await using visit = await openVisit(shop, SCREENS[screen]);
    const { page } = visit;
    const { order } = await placePaidOrder(shop, mugDelivery);
    const refund = `/admin/orders/${order.number}/refund?attempt=1`;
    const review = await placePaidOrder(shop, mugDelivery, { amount_total: 1 });

    await typeEverywhere(page, '/admin');
    await typeInto(page.locator('#name'), 'admin');
    await typeInto(page.locator('#password'), PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByTestId('admin-sales').waitFor();
    for (const path of [
      ...['/admin', '/admin/orders', '/admin/products', '/admin/products/taza-talavera'],
      ...[`/admin/orders/${order.number}`, `/admin/orders/${review.order.number}`, refund],
    ])
      await typeEverywhere(page, path);
  },
);
