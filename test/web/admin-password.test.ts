import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { hashPassword } from '../../src/admin/admin-password.js';

test('sixty passwords checked at once leave threads free for files and name lookups', async () => {
  const password = hashPassword('una contraseña de administración', 'secret');
  let checked = 0;
  const guesses = Array.from({ length: 60 }, async (_, guess) => {
    const matches = await password.matches(`${guess}`);
    checked += 1;
    return matches;
  });

  await readFile(new URL('../../package.json', import.meta.url));
  const checkedMeanwhile = checked;

  expect(checkedMeanwhile).toBeLessThan(10);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(await password.matches('una contraseña de administración')).toBe(true);
});
