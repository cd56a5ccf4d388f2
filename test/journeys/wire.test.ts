import { describe, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { API_KEY, openTestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

describe('the list of calls in one window while a customer buys in another', () => {
  test('shows each call without a reload, keeps an open row open, and shows no order link', async () => {
    await using shop = await openTestShop({ foreignGateway: true, webhooks: true });
    await using visit = await openVisit(shop);
    const { page, context } = visit;
    const wire = await context.newPage();
    await wire.goto(`${shop.simulator.url}/wire`);
    const good = (count: number) =>
      wire
        .locator('.exchange[data-tone="good"][data-kind="webhook"]')
        .nth(count - 1)
        .waitFor();
    const emptyAtFirst = await wire.locator('.exchange').count();

    await reachHostedPage(page);
    await good(1);
    await wire.locator('.exchange summary').first().click();
    await payWith(page, cards.succeeds);
    await untilOrderIs(page, 'paid');
    await good(3);

    expect(emptyAtFirst).toBe(0);
    const [first] = await wire.locator('.exchange').allInnerTexts();
    expect(first).toMatch(/tienda → servicio\s+POST\s+\/checkout\/v1\/sessions\s+201/);
    expect(first).toContain('"amount_total": ');
    const token = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const shown = await wire.content();
    expect([API_KEY, WEBHOOK_TOKEN, token].filter((secret) => shown.includes(secret))).toEqual([]);
  });

  test('has a link to reload in a browser without scripts', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, { javaScriptEnabled: false });
    const { page } = visit;
    await reachHostedPage(page);

    await page.goto(`${shop.simulator.url}/wire`);

    expect(await page.locator('.exchange').count()).toBe(1);
    await page.getByRole('link', { name: 'Volver a cargar' }).click();
    expect(await page.locator('.exchange').count()).toBe(1);
  });
});
