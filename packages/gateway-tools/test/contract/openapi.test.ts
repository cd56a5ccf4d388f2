import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { gatewayOpenApi } from '../../src/contract/openapi.js';

const folder = new URL('../../../../docs/internals/', import.meta.url);
// An adopter may delete the folder.
const testWithDocument = existsSync(folder) ? test : test.skip;

testWithDocument('the OpenAPI document is the text that npm run contract -- --openapi writes', () => {
  const text = readFileSync(new URL('gateway.openapi.json', folder), 'utf8');

  expect(text).toBe(gatewayOpenApi());
});

testWithDocument('the OpenAPI document is valid OpenAPI 3.1, and each of its patterns is portable', async () => {
  const text = readFileSync(new URL('gateway.openapi.json', folder), 'utf8');
  const validator = new Validator();

  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const patterns = [...text.matchAll(/"pattern": ("(?:[^"\\]|\\.)+")/g)].map(([, pattern = '']) => JSON.parse(pattern));
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter((pattern) => /\\p/i.test(pattern) || !new RegExp(pattern, 'u'))).toEqual([]);
});
