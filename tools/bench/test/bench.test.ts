import { expect, test } from '@jest/globals';
import { runBuilt } from '../../../test/support/built-program.js';

test('npm run bench prints a row for each selected measurement', async () => {
  const { stdout, stderr } = await runBuilt('tools/bench/main.js', [...['--only', 'growth,install', '--seconds', '1']]);

  const rows = stdout.split('\n').filter((line) => /^\| (?:growth|install) /.test(line));
  expect({ rows: rows.length, stderr }).toEqual({ rows: 7, stderr: '' });
  expect(rows.slice(0, 6)).toEqual(Array(6).fill(expect.stringMatching(/[\d.,]+ × \([\d.,]+ ms, then [\d.,]+ ms\)/)));
  expect(rows[6]).toMatch(/\d+ packages, [\d.]+ MB/);
}, 300_000);
