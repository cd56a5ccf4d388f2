import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { typeKeys } from '../../../../test/support/typing.js';
import { code, holdAnswer, offered, openCheckout, place, typeAnswered } from './checkout-steps.js';
import { importSample } from './support.js';

const shop = await openFileShop();
await importSample(shop.checkout.db);

test('a postal code that is typed key by key on a phone fills in state and municipality and offers the neighborhoods, and any other can be typed', async () => {
  await using visit = await openCheckout(shop);
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

test('a lookup that fails, is slow or finds nothing leaves the form as it is without lookup, and the page usable', async () => {
  await using visit = await openCheckout(shop);
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
