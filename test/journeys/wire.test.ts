import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visit } from '../support/browser.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { API_KEY, openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

const live = '[data-when="live"]:not([hidden])';

/** Waits until this many exchanges that match are on the page. */
async function untilRows(page: Page, count: number, selector = ''): Promise<void> {
  await page
    .locator(`.exchange${selector}`)
    .nth(count - 1)
    .waitFor();
}

/** The wire view in a window of its own, listening. */
async function openWire(shop: TestShop, { context }: Visit): Promise<Page> {
  const wire = await context.newPage();
  await wire.goto(`${shop.simulator.url}/wire`);
  await wire.locator(live).waitFor();
  return wire;
}

describe('the wire view in one window while a shopper buys in another', () => {
  test('shows each exchange as it happens, without a reload and without the order’s link', async () => {
    await using shop = await openTestShop({ foreignService: true, webhooks: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    const wire = await openWire(shop, visit);
    const emptyAtFirst = await wire.locator('.exchange').count();

    await reachHostedPage(page);
    await untilRows(wire, 1, '[data-tone="good"][data-kind="webhook"]');
    await wire.locator('.exchange summary').first().click();
    await payWith(page, cards.succeeds);
    await untilOrderIs(page, 'paid');
    await untilRows(wire, 3, '[data-tone="good"][data-kind="webhook"]');

    expect(emptyAtFirst).toBe(0);
    const [first] = await wire.locator('.exchange').allInnerTexts();
    expect(first).toMatch(/tienda → servicio\s+POST\s+\/checkout\/v1\/sessions\s+201/);
    expect(first).toContain('"amount_total": ');
    expect(visit.sent.filter((line) => line === `GET ${shop.simulator.url}/wire`)).toHaveLength(1);
    const token = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const shown = await wire.content();
    expect([API_KEY, WEBHOOK_TOKEN, token].filter((secret) => shown.includes(secret))).toEqual([]);
  });

  test('can be paused, filtered and cleared', async () => {
    await using shop = await openTestShop({ foreignService: true, webhooks: true });
    await using visit = await openVisit(shop);
    const { page, context } = visit;
    const wire = await openWire(shop, visit);

    await wire.getByRole('button', { name: 'Pausar' }).click();
    await reachHostedPage(page);
    // Whatever is told to this page has been told to that one: they hear it together.
    const other = await context.newPage();
    await other.goto(`${shop.simulator.url}/wire`);
    await untilRows(other, 1, '[data-tone="good"][data-kind="webhook"]');
    const whilePaused = await wire.locator('.exchange').count();
    await wire.getByRole('button', { name: 'Seguir' }).click();
    await untilRows(wire, 2);
    await wire.getByLabel('Webhooks').check();

    expect(whilePaused).toBe(0);
    expect(await wire.locator('.exchange:visible').count()).toBe(
      await wire.locator('.exchange[data-kind="webhook"]').count(),
    );
    await wire.getByRole('button', { name: 'Vaciar la vista' }).click();
    expect(await wire.locator('.exchange').count()).toBe(0);
    await wire.getByText('Todavía nada.').waitFor();
  });

  test('without scripts is what has happened so far, and a link to reload', async () => {
    await using shop = await openTestShop({ foreignService: true });
    await using visit = await openVisit(shop, { javaScriptEnabled: false });
    const { page } = visit;
    await reachHostedPage(page);

    await page.goto(`${shop.simulator.url}/wire`);

    expect(await page.locator('.exchange').count()).toBe(1);
    expect(await page.locator('button:visible').count()).toBe(0);
    await page.getByRole('link', { name: 'Volver a cargar' }).click();
    expect(await page.locator('.exchange').count()).toBe(1);
  });
});
