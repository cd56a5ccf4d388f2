import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { centavos } from '../../src/domain/money.js';
import { formatMoney } from '../../src/locales/format.js';
import { openVisit } from '../support/browser.js';
import { until } from '../support/inspect.js';
import { fillCardPage, fillCart, reachHostedPage, reachPendingOrder } from '../support/steps.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const PRICE = formatMoney(centavos(28_900), 'es-MX');
const MOST_BYTES = 30_000;
const NARROW = { width: 390, height: 844 };

/** Adds up every shift of the layout that nobody's hand brought about. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum), 0));
})`;

/** Everything is there, the pictures further down too. */
async function wholePage(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await until(() => page.evaluate<boolean>('[...document.images].every((image) => image.complete)'));
}

async function pagesOfAPurchase(shop: TestShop, page: Page): Promise<readonly string[]> {
  await fillCart(page);
  await reachHostedPage(page);
  const { queries } = shop.context.checkout.db;
  const { token } = await queries.selectFrom('orders').select('token').executeTakeFirstOrThrow();
  const fixed = ['/', '/?q=taza', '/products/taza-de-talavera', '/cart', '/checkout', '/checkout/card'];
  return [...fixed, '/orders', `/orders/${token}`];
}

describe('the pages of the shop', () => {
  test('hold still while they load, and ask nobody but the shop', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop, { viewport: NARROW });
    const { page } = visit;
    const paths = await pagesOfAPurchase(shop, page);
    // The hosted page has asked for all of its own by then.
    await page.goto('about:blank');
    const before = visit.sent.length;

    for (const path of paths) {
      await page.goto(path);
      await wholePage(page);
      expect([path, await page.evaluate(SHIFTS)]).toEqual([path, 0]);
    }

    const elsewhere = visit.sent.slice(before).filter((sent) => !sent.includes(` ${shop.url}/`));
    expect(elsewhere).toEqual([]);
  });

  test(`the catalog is ${MOST_BYTES / 1000} kB at the most without its pictures`, async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    const sizes: number[] = [];
    page.on('requestfinished', async (request) => {
      if (!['document', 'stylesheet', 'script'].includes(request.resourceType())) return;
      sizes.push((await request.sizes()).responseBodySize);
    });

    await page.goto('/');
    await page.waitForLoadState('load');
    const scripts = await page.locator('script').count();

    expect(scripts).toBeGreaterThan(0);
    await until(() => sizes.length === scripts + 2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
  });

  test('nothing moves for who asked for no motion', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop, { reducedMotion: 'reduce' });
    const { page } = visit;

    await reachPendingOrder(shop, page);
    const still = await page.evaluate('document.getAnimations().length');
    await page.emulateMedia({ reducedMotion: 'no-preference' });

    expect(still).toBe(0);
    expect(await page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
  });

  test('are read at twice their size without scrolling sideways', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop, {
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
    });
    const { page } = visit;

    for (const path of await pagesOfAPurchase(shop, page)) {
      await page.goto(path);
      const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([path, Number(sideways) <= 0]).toEqual([path, true]);
    }
  });
});

describe('a screen reader is told', () => {
  test('what the cart holds and what can be done with it', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;

    await fillCart(page);
    await page.goto('/cart');

    expect(await page.locator('main').ariaSnapshot()).toBe(`- main:
  - heading "Tu carrito" [level=1]
  - list "Artículos en tu carrito":
    - listitem:
      - img "Taza blanca con flores y cenefas azul cobalto"
      - heading "Taza de talavera azul" [level=2]:
        - link "Taza de talavera azul":
          - /url: /products/taza-de-talavera
      - paragraph: ${PRICE} cada uno
      - paragraph: ${PRICE}
      - text: Cantidad de Taza de talavera azul
      - spinbutton "Cantidad de Taza de talavera azul": "1"
      - button "Actualizar la cantidad de Taza de talavera azul": Actualizar
      - button "Quitar Taza de talavera azul del carrito": Quitar
  - complementary "Resumen":
    - heading "Resumen" [level=2]
    - paragraph:
      - text: Total
      - strong: ${PRICE}
    - paragraph:
      - link "Continuar al pago":
        - /url: /checkout
    - paragraph: Aún no se cobra nada. Vas a ver el total otra vez antes de pagar.
    - paragraph:
      - link "Seguir comprando":
        - /url: /`);
  });

  test('what is wrong with a card form, at once and at each field', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;

    await fillCardPage(page, '4000000000000076');
    await page.getByTestId('pay-card').click();
    await page.getByRole('alert').first().waitFor();
    const number = page.getByRole('textbox', { name: 'Número de tarjeta' });

    expect(await number.getAttribute('aria-invalid')).toBe('true');
    const told = await number.evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id: string) => field.ownerDocument.getElementById(id)?.textContent?.trim())
        .join(' '),
    );
    expect(told).toContain('Ese número de tarjeta no es correcto');
  });

  test('how the payment stands, as a status that is spoken when it changes', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachPendingOrder(shop, page);

    const status = page.getByRole('status').filter({ has: page.getByRole('heading', { level: 1 }) });
    expect(await status.getByRole('heading', { level: 1 }).textContent()).toBe('Estamos esperando tu pago');
    expect(await page.locator('[data-next-lookup]').textContent()).toMatch(/Volvemos a mirar en \d+ s\./);
  });
});
