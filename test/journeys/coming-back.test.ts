import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../support/browser.js';
import { contact, sessionIdOf } from '../support/customer.js';
import { cards, orderState, payWith, reachBank, reachHostedPage } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

async function showsNothingPersonal(page: Page): Promise<void> {
  const text = await page.content();
  for (const secret of Object.values(contact)) expect(text).not.toContain(secret);
  expect(text).not.toContain('Taza');
}

describe('coming back to the shop', () => {
  test('without the cookie the order is confirmed all the same, and shows no personal data', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    await visit.context.clearCookies();
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(await page.getByTestId('order-number').textContent()).toMatch(/\S/);
    await showsNothingPersonal(page);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('in another browser the order shows its state, number and total and nothing else', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    await using elsewhere = await openVisit(shop);

    const session = sessionIdOf(await reachHostedPage(visit.page));
    const address = shop.simulator.control.sessions()[0]?.request.return_url;
    await elsewhere.page.goto(`${address}?session_id=${session}`);
    const before = await orderState(elsewhere.page);
    const linksOnward = await elsewhere.page.locator(`main a[href^="${shop.simulator.url}"]`).count();
    shop.simulator.control.paySession(session);
    await elsewhere.page.goto(`${address}?session_id=${session}`);

    expect(before).toBe('pending');
    expect(linksOnward).toBe(0);
    await elsewhere.page.locator('[data-state="paid"]').waitFor();
    await showsNothingPersonal(elsewhere.page);
  });

  test('by POST from the bank, as strangers post, the order is confirmed to the same customer', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await page.getByTestId('return-post').check();
    await page.getByTestId('approve').click();

    expect(await orderState(page)).toBe('paid');
    expect(visit.sent.some((line) => line.startsWith(`POST ${shop.url}/checkout/return/`))).toBe(true);
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
    expect(await page.locator('main').textContent()).toContain(contact.email);
  });

  test('by POST without any cookie, refused at the bank, it tells the truth too', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await visit.context.clearCookies();
    await page.getByTestId('return-post').check();
    await page.getByTestId('refuse').click();

    expect(await orderState(page)).toBe('declined');
    await showsNothingPersonal(page);
  });
});
