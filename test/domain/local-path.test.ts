import { expect, test } from '@jest/globals';
import { localPath } from '../../src/shop/rules/local-path.js';

test.each([
  ...['/', '/cart', '/checkout/card', '/products/taza-de-talavera', '/orders/-_a9'],
  '/?q=caf%C3%A9+de+olla&category=pantry',
])('the local path %s is accepted', (path) => {
  expect(localPath(path)).toBe(path);
});

test.each<unknown>([
  ...['https://evil.example/', '//evil.example', '/\\evil.example', '/%2fevil.example', '/%5cevil'],
  ...['/\tevil', '/\n/evil', '/cart\r\nSet-Cookie: a=b', '/cart\n', '/cart?next=//evil', '/?', '/?q=a\nb', '/?q=a#b'],
  ...['?q=a', '/cart#x', '/../admin', '/a//b', '/.evil', '/@evil', 'cart', '', ' /cart', '/cárt'],
  ...[`/${'a'.repeat(500)}`, undefined, null, ['/cart'], { toString: () => '/cart' }, 7],
])('the local path %j is replaced by the front page', (raw) => {
  expect(localPath(raw)).toBe('/');
});
