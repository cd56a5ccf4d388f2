/** Further ways to enter a postal code. */
import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../../test/support/browser.js';
import { hasFeature } from '../../../../../test/support/features.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { signIn } from '../../../../../test/support/steps.js';
import { autofill, SCREENS, typeInto, typeKeys } from '../../../../../test/support/typing.js';
import { code, holdAnswer, municipality, offered, openCheckout, place, typeAnswered } from '../checkout-steps.js';
import { importSample } from '../support.js';

const shop = await openFileShop();
await importSample(shop.checkout.db);

test('what the customer typed stays with every code, and so does the field in which the customer is', async () => {
  await using visit = await openCheckout(shop);
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
  await using visit = await openCheckout(shop);
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

test('a code that the browser fills in, or that the page has from the last try, is looked up too', async () => {
  await using visit = await openCheckout(shop);
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
