/**
 * The settings file `.env`, which each entry reads with the same parser. `test/project/production.test.ts` tests that of the
 * shop and the worker.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { runBuilt } from '../support/built-program.js';

const folder = mkdtempSync(join(tmpdir(), 'tianguis-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['src/cli/admin.js', ['list']],
  ['tools/dev/start-shop.js', []],
  ['tools/doctor/main.js', ['--offline']],
])('%s reads .env as dotenv does, and reports its problems', async (script, args) => {
  // Node.js would not read this line.
  writeFileSync(join(folder, '.env'), 'PORT: many\n');

  const { code, stdout, stderr } = await runBuilt(script, args, { cwd: folder });

  expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/PORT:? must be a whole number/)]);
});

test('src/migrate.js reads .env as dotenv does, variables of the environment win over it, and reading it prints nothing', async () => {
  writeFileSync(join(folder, '.env'), 'DATABASE_URL: file:./used.db\nPORT=many\n');
  const settings = { PORT: '3000', DOTENV_OVERRIDE: 'true' };

  const result = await runBuilt('src/migrate.js', [], { cwd: folder, settings });

  expect(result).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  expect(existsSync(join(folder, 'used.db'))).toBe(true);
});

test('an .env that cannot be read ends the program instead of starting it with defaults', async () => {
  rmSync(join(folder, '.env'), { force: true });
  mkdirSync(join(folder, '.env'));

  const { code, stderr } = await runBuilt('src/migrate.js', [], { cwd: folder });

  rmSync(join(folder, '.env'), { recursive: true });
  expect([code, stderr]).toEqual([1, expect.stringContaining('EISDIR')]);
});
