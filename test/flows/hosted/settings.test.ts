import { expect, test } from '@jest/globals';
import { parseConfig } from '../../../src/config/config.js';
import { PRODUCTION } from '../../support/production-settings.js';

test('in production the hosted flow alone needs no tokenizer', () => {
  const { TOKENIZER_URL: _, ...others } = PRODUCTION;

  expect(parseConfig({ ...others, PAYMENT_FLOWS: 'hosted' })).toMatchObject({ ok: true });
});
