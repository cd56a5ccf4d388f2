import { expect, test } from '@jest/globals';
import { parseConfig } from '../../../src/config/config.js';
import { PRODUCTION } from '../../support/production-settings.js';

function problems(environment: Readonly<Record<string, string>>): readonly string[] {
  const reading = parseConfig({ ...PRODUCTION, ...environment });
  return reading.ok ? [] : reading.problems;
}

test.each([
  ['', 'is needed in production'],
  ['http://token.pay.example/token', 'must be https in production'],
  ['https://token-sandbox.pay.example/token', 'is a test address, and this is production'],
  ['token.pay.example', 'must be an http(s) address'],
])('in production the tokenizer %j is refused: %s', (TOKENIZER_URL, problem) => {
  expect(problems({ TOKENIZER_URL, PAYMENT_FLOWS: 'card' })).toContain(`TOKENIZER_URL: ${problem}`);
});
