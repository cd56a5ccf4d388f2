import { describe, expect, test } from '@jest/globals';
import { compare, type Finding, judge, median, round, table } from '../../src/bench/finding.js';
import { readOptions } from '../../src/bench/options.js';

describe('a finding of the bench', () => {
  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
  ])('the median of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  test('compares each round with what was measured beside it', () => {
    expect(compare([50, 20, 90], [100, 100, 100])).toBe(0.5);
  });

  test.each([
    [true, [[1, 9]], 'holds'],
    [false, [[10, 11]], 'misses'],
    [false, [[10, 16]], 'noisy'],
    [false, [[10]], 'misses'],
    [false, [], 'misses'],
  ] as const)('reached %j after rounds %j: %s', (reached, rounds, verdict) => {
    expect(judge(reached, rounds)).toBe(verdict);
  });

  test('stands in a table with its bar', () => {
    const finding: Finding = {
      what: 'pages',
      figure: `${round(1234.56)}/s`,
      bar: '≥ 1',
      verdict: 'holds',
      numbers: {},
    };

    const [head = '', rule = '', line = ''] = table([{ row: 'catalogue', ...finding }]).split('\n');

    expect(line).toBe('| catalogue | pages | 1,235/s  | ≥ 1 | holds |');
    expect([head.length, rule.length]).toEqual([line.length, line.length]);
  });
});

describe('the bench is asked for', () => {
  test('everything, three rounds of five seconds, a million orders, if nothing else is said', () => {
    expect(readOptions([], ['cart'])).toEqual({
      ...{ help: false, json: false, only: [], rounds: 3, seconds: 5, orders: 1_000_000 },
    });
  });

  test.each([
    [['--only', 'nothing'], 'no such row: nothing'],
    [['--rounds', '0'], '--rounds must be a whole number'],
    [['--postgres', 'mysql://x'], '--postgres must start with postgres://'],
  ])('%j is refused with %j', (args, message) => {
    expect(() => readOptions(args, ['cart'])).toThrow(message);
  });
});
