import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { loadTranslations } from '../../src/locales/translations.js';

test('an address that ends with a period ends the sentence with one period', () => {
  const merchant = { ...brand.merchant, address: 'Calle 60 45, 97000 Mérida, Yuc.' };
  const translate = loadTranslations({ ...brand, merchant }).in('es-MX');
  expect(translate('shipping.pickup.hint')).toBe(
    'Lo recoges en Calle 60 45, 97000 Mérida, Yuc. Te escribimos cuando esté listo.',
  );
});
