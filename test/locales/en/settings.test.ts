import { expect, test } from '@jest/globals';
import { parseConfig } from '../../../src/config/config.js';

test.each([[{ LOCALES: 'en es-MX en' }], [{ LOCALES: 'es-MX, en', DEFAULT_LOCALE: 'en' }], [{ DEFAULT_LOCALE: 'en' }]])(
  'with the settings %j English is the first locale',
  (environment) => {
    expect(parseConfig(environment)).toMatchObject({ ok: true, config: { locales: ['en', 'es-MX'] } });
  },
);

test('a default locale that the shop does not offer is refused', () => {
  const problems = ['DEFAULT_LOCALE: must be one of LOCALES'];

  expect(parseConfig({ LOCALES: 'es-MX', DEFAULT_LOCALE: 'en' })).toEqual({ ok: false, problems });
});
