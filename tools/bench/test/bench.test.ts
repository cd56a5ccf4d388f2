import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { buildCopy } from '../../../test/support/built-copy.js';

test('npm run bench prints a row for each measurement that was asked for', () => {
  using copy = buildCopy();

  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/tools/bench/main.js', '--only', 'growth,install', '--seconds', '1'],
    {
      ...{ cwd: copy.home, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    },
  );

  const rows = stdout.split('\n').filter((line) => /^\| (?:growth|install) /.test(line));
  expect({ rows: rows.length, stderr }).toEqual({ rows: 7, stderr: '' });
  expect(rows.slice(0, 6)).toEqual(
    Array(6).fill(expect.stringMatching(/[\d.,]+ × \([\d.,]+ ms, then [\d.,]+ ms\)/)),
  );
  expect(rows[6]).toMatch(/\d+ packages, [\d.]+ MB/);
}, 300_000);
