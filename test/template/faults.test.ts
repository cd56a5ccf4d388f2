/** docs/internals/faults.md is what the code does. `FAULTS=write` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { openTestShop } from '../support/test-shop.js';
import { COMMAND, faultsPage } from './faults/page.js';

const file = new URL('../../docs/internals/faults.md', import.meta.url);
/** The page shows SQLite. The CI runs all tests with a fault on PostgreSQL too. */
const testOnSqlite = process.env['TEST_DATABASE_URL'] === undefined ? test : test.skip;

testOnSqlite(
  'docs/internals/faults.md shows what return, webhook and worker make of each fault',
  async () => {
    const env = { DEFAULT_LOCALE: 'en', MERCHANT_EMAIL: 'merchant@example.com' };
    await using shop = await openTestShop({ env, profile: 'interface' });
    const page = await faultsPage(shop);
    if (process.env['FAULTS'] === 'write') writeFileSync(file, page);

    const difference = linesOf(page).filter((line) => !linesOf(readFileSync(file, 'utf8')).includes(line));
    expect({ difference, command: COMMAND }).toEqual({ difference: [], command: COMMAND });
    expect(page).toBe(readFileSync(file, 'utf8'));
  },
  240_000,
);

function linesOf(text: string): readonly string[] {
  return text.split('\n');
}
