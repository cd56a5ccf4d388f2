import { expect, test } from '@jest/globals';
import { fullHostOf } from '../src/host.js';

test('a host whose optional answers are undefined is completed as one that has none of them', () => {
  const answers = { describe: () => Promise.reject(new Error('unused')), orderPath: () => '/' };
  const plain = fullHostOf(answers);
  const host = fullHostOf({ ...answers, admit: undefined, jobs: undefined, lockBefore: undefined });

  expect(Object.keys(host)).toEqual(Object.keys(plain));
  expect([typeof host.admit, host.jobs, host.lockBefore]).toEqual(['function', {}, plain.lockBefore]);
});
