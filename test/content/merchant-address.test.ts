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

test('a time and a name that end with a period end the sentence with one period, and other values get theirs', () => {
  const translate = loadTranslations().in('es-MX');
  const endOf = (day: string) => translate('closed.until', { day }).replace(/^.* el /, '');

  expect(endOf('9:05\u00a0a.m.')).toBe('9:05\u00a0a.m.');
  expect(endOf('28 de nov')).toBe('28 de nov.');
});
