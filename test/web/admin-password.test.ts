import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { hashPassword } from '../../src/admin/admin-password.js';

test('sixty passwords checked at once leave threads free for files and name lookups', async () => {
  const password = hashPassword('una contraseña del mostrador', 'secret');
  let checked = 0;
  const guesses = Array.from({ length: 60 }, async (_, guess) => {
    const right = await password.matches(`${guess}`);
    checked += 1;
    return right;
  });

  await readFile(new URL('../../package.json', import.meta.url));
  const checkedMeanwhile = checked;
  const right = await password.matches('una contraseña del mostrador');

  expect(checkedMeanwhile).toBeLessThan(10);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(right).toBe(true);
});
