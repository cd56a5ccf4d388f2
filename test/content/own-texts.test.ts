import { afterAll, expect, test } from '@jest/globals';
import { ownTexts } from '../../src/locales/own-texts.js';
import { loadTranslations } from '../../src/locales/translations.js';

const OWN = {
  'titles.cart': 'Tu bolsa',
  'site.cartCount_other': '{{count}} piezas',
  'shipping.pickup.hint': 'Lo recoges en {{merchant.address}}, de 10 a 18 h.',
};
Object.assign(ownTexts, { 'es-MX': OWN });
afterAll(() => {
  Object.assign(ownTexts, { 'es-MX': undefined });
});

test("the merchant's own messages replace those of the template, with their placeholders", () => {
  const t = loadTranslations().in('es-MX');

  expect([t('titles.cart'), t('site.cartCount', { count: 2 }), t('site.cartCount', { count: 1 })]).toEqual([
    'Tu bolsa',
    '2 piezas',
    '1 artículo',
  ]);
  expect(t('shipping.pickup.hint')).toBe(
    'Lo recoges en Calle de las Pruebas 1, Col. Ejemplo, 00000 Ciudad de Pruebas, de 10 a 18 h.',
  );
});
