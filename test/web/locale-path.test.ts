import { expect, test } from 'vitest';
import { localeOf, localePath, translatePath } from '../../src/web/locale-path.js';

const LOCALES = ['es-MX', 'en'] as const;

test.each([
  ['/', 'es-MX', '/en'],
  ['/?category=hogar', 'es-MX', '/en?category=hogar'],
  ['/products/taza', 'es-MX', '/en/products/taza'],
  ['/pages/terms', 'es-MX', '/en/pages/terms'],
] as const)('the page %s is in the first locale, and in the second at %s %s', (path, locale, other) => {
  expect([localeOf(LOCALES, path), localeOf(LOCALES, other)]).toEqual([locale, 'en']);
  expect(localePath(LOCALES, 'en', path)).toBe(other);
  expect([translatePath(LOCALES, 'en', path), translatePath(LOCALES, 'es-MX', other)]).toEqual([other, path]);
  expect([translatePath(LOCALES, 'es-MX', path), translatePath(LOCALES, 'en', other)]).toEqual([path, other]);
});

test.each(['/cart', '/checkout/card', '/orders/abc', '/enchiladas', '/nowhere'])(
  'the path %s is the same in all locales and selects none',
  (path) => {
    expect(localeOf(LOCALES, path)).toBeUndefined();
    expect([localePath(LOCALES, 'en', path), translatePath(LOCALES, 'en', path)]).toEqual([path, path]);
  },
);

test('with es-MX as the second locale its pages are below /es', () => {
  expect(localePath(['en', 'es-MX'], 'es-MX', '/products/taza')).toBe('/es/products/taza');
});

test('a shop with one locale has no address of another', () => {
  expect(localeOf(['es-MX'], '/en/products/taza')).toBeUndefined();
});
