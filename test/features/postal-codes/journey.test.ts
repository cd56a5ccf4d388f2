import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { SHIPPED } from '../../support/catalog.js';
import { hasFeature } from '../../support/features.js';
import { openFileShop } from '../../support/shared-shop.js';
import { fillCart, signIn } from '../../support/steps.js';
import { autofill, SCREENS, typeInto, typeKeys } from '../../support/typing.js';
import { importSample } from './support.js';

const shop = await openFileShop();
await importSample(shop.checkout.db);

/** Opens the checkout with a cart that is shipped. */
async function openCheckout() {
  const visit = await openVisit(shop, SCREENS.phone);
  await fillCart(visit.page, SHIPPED);
  await visit.page.goto('/checkout');
  return visit;
}

const code = (page: Page) => page.locator('#postal_code');
const municipality = (page: Page) => page.locator('#municipality');

/** Types a code, and waits until the page has its answer, and that of a request after it. */
async function typeAnswered(page: Page, asked: string): Promise<void> {
  await Promise.all([page.waitForResponse(`**/postal-codes/${asked}`), typeKeys(code(page), asked)]);
  await page.evaluate(`fetch('/postal-codes/${asked}').then((answer) => answer.text())`);
}

/** Waits until the neighborhoods of the code are offered. */
const offered = (page: Page, first: string) =>
  page.locator(`#neighborhood-list option:text-is("${first}")`).waitFor({ state: 'attached' });

/** Returns state and municipality, and the offered municipalities and neighborhoods. */
const place = async (page: Page) => [
  await page.locator('#state').inputValue(),
  await municipality(page).inputValue(),
  await page.locator('#municipality-list option').allTextContents(),
  await page.locator('#neighborhood-list option').allTextContents(),
];

/** Holds the answer to a code until `release`, which resolves when the browser has it. */
async function holdAnswer(page: Page, asked: string) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(`**/postal-codes/${asked}`, async (route) => {
    const response = await route.fetch();
    await opened;
    await route.fulfill({ response });
  });
  return {
    async release() {
      open();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

test('a postal code that is typed key by key on a phone fills in state and municipality and offers the neighborhoods, and any other can be typed', async () => {
  await using visit = await openCheckout();
  const { page } = visit;

  await typeKeys(code(page), '44100');
  await offered(page, 'Artesanos');
  const first = await place(page);
  await typeKeys(code(page), '45019');
  await offered(page, 'Ciudad Bugambilias');
  const second = await place(page);
  await typeKeys(code(page), '45640');
  await offered(page, 'El Palomar');
  const severalMunicipalities = await place(page);
  await typeKeys(page.locator('#neighborhood'), 'Rancho nuevo');

  expect(first).toEqual(['JAL', 'Guadalajara', ['Guadalajara'], ['Artesanos', 'Guadalajara Centro']]);
  expect(second).toEqual(['JAL', 'Zapopan', ['Zapopan'], ['Ciudad Bugambilias']]);
  expect(severalMunicipalities).toEqual([
    'JAL',
    '',
    ['San Pedro Tlaquepaque', 'Tlajomulco de Zúñiga'],
    ['El Palomar', 'Los Gavilanes'],
  ]);
  expect(await page.locator('#neighborhood').inputValue()).toBe('Rancho nuevo');
  expect(await page.locator('#neighborhood').getAttribute('list')).toBe('neighborhood-list');
  await expectAccessible(page);
});

test('what the customer typed stays with every code, and so does the field in which the customer is', async () => {
  await using visit = await openCheckout();
  const { page } = visit;

  await typeKeys(municipality(page), 'Tonalá');
  await typeKeys(code(page), '44100');
  await offered(page, 'Artesanos');
  const typed = await place(page);
  await municipality(page).fill('');
  const { release } = await holdAnswer(page, '45019');
  await typeKeys(code(page), '45019');
  await municipality(page).focus();
  await release();
  await offered(page, 'Ciudad Bugambilias');

  expect(typed.slice(0, 2)).toEqual(['JAL', 'Tonalá']);
  expect(await place(page)).toEqual(['JAL', '', ['Zapopan'], ['Ciudad Bugambilias']]);
});

test('of two codes that are typed one after the other the last one counts, also if the first is answered later', async () => {
  await using visit = await openCheckout();
  const { page } = visit;
  const { release } = await holdAnswer(page, '44100');
  const asked = page.waitForRequest('**/postal-codes/44100');

  await typeKeys(code(page), '44100');
  await asked;
  await typeKeys(code(page), '45019');
  await offered(page, 'Ciudad Bugambilias');
  await release();

  expect(await place(page)).toEqual(['JAL', 'Zapopan', ['Zapopan'], ['Ciudad Bugambilias']]);
});

test('a lookup that fails, is slow or finds nothing leaves the form as it is without lookup, and the page usable', async () => {
  await using visit = await openCheckout();
  const { page } = visit;
  visit.expectTrouble(/net::ERR_FAILED/);
  visit.expectTrouble(/status of 500/);
  await page.route('**/postal-codes/44100', (route) => route.abort());
  await page.route('**/postal-codes/45019', (route) =>
    route.fulfill({ status: 500, json: { municipalities: ['Tonalá'], neighborhoods: ['Centro'] } }),
  );
  await holdAnswer(page, '01000');
  const places: unknown[] = [];

  await Promise.all([page.waitForEvent('requestfailed'), typeKeys(code(page), '44100')]);
  places.push(await place(page));
  await typeAnswered(page, '45019');
  places.push(await place(page));
  await typeKeys(code(page), '01000');
  places.push(await place(page));
  await typeAnswered(page, '04100');
  places.push(await place(page));

  expect(places).toEqual([
    ['JAL', '', [], []],
    ['JAL', '', [], []],
    ['CMX', 'Álvaro Obregón', [], []],
    ['CMX', 'Coyoacán', [], []],
  ]);
});

test('a code that the browser fills in, or that the page has from the last try, is looked up too', async () => {
  await using visit = await openCheckout();
  const { page } = visit;
  visit.expectTrouble(/status of 422/);

  await autofill(code(page), '44100');
  await offered(page, 'Artesanos');
  await typeInto(page.locator('#neighborhood'), 'Analco');
  await page.locator('[type="submit"][data-test^="pay-"]').click();
  await page.locator('#errors:focus').waitFor();
  await offered(page, 'Artesanos');

  expect((await place(page)).slice(0, 2)).toEqual(['JAL', 'Guadalajara']);
  expect(await page.locator('#neighborhood').inputValue()).toBe('Analco');
});

(hasFeature('merchant-orders') ? test : test.skip)(
  'the order that the merchant makes offers the same, and removes what an earlier code filled in',
  async () => {
    await using visit = await openVisit(shop, SCREENS.phone);
    const { page } = visit;
    await signIn(page);
    await page.goto('/admin/orders/new');

    await typeKeys(code(page), '44100');
    await offered(page, 'Artesanos');
    const first = await place(page);
    await typeKeys(code(page), '01000');
    await offered(page, 'San Ángel');
    const second = await place(page);
    await typeAnswered(page, '68000');

    expect(first).toEqual(['JAL', 'Guadalajara', ['Guadalajara'], ['Artesanos', 'Guadalajara Centro']]);
    expect(second).toEqual(['CMX', 'Álvaro Obregón', ['Álvaro Obregón'], ['San Ángel']]);
    expect(await place(page)).toEqual(['OAX', '', [], []]);
  },
);
