import { createHook } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { hashPassword, isPassword, LOW_COST } from '../../src/admin/admin-password.js';

const PASSWORD = 'una contraseña de administración';

test('sixty passwords checked at once leave threads free for files and name lookups', async () => {
  const stored = await hashPassword(PASSWORD, { N: 2 ** 14, r: 8, p: 1 });
  let checked = 0;
  const guesses = Array.from({ length: 60 }, async (_, guess) => {
    const matches = await isPassword(`${guess}`, stored);
    checked += 1;
    return matches;
  });

  await readFile(new URL('../../package.json', import.meta.url));
  const checkedMeanwhile = checked;

  expect(checkedMeanwhile).toBeLessThan(10);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([false]));
  expect(await isPassword(PASSWORD, stored)).toBe(true);
});

test('a password hash has its own salt and parameters, and no other password matches it', async () => {
  const [strong, again, cheap] = await Promise.all([
    hashPassword(PASSWORD),
    hashPassword(PASSWORD),
    hashPassword(PASSWORD, LOW_COST),
  ]);

  expect(strong).toMatch(/^scrypt:16384:8:5:[\w-]{22}:[\w-]{43}$/);
  expect(strong).not.toBe(again);
  expect(await Promise.all([strong, again, cheap].map((stored) => isPassword(PASSWORD, stored)))).toEqual([
    ...[true, true, true],
  ]);
  for (const wrong of ['', `${PASSWORD} `, PASSWORD.toUpperCase()])
    expect(await isPassword(wrong, cheap)).toBe(false);
});

test('a password check without a user calls scrypt once with the parameters of a user, and fails', async () => {
  const stored = await hashPassword(PASSWORD);
  const calls: string[] = [];
  const hook = createHook({ init: (_id, type) => void (type === 'SCRYPTREQUEST' && calls.push(type)) });
  hook.enable();
  const workOf = async (hash: string | undefined) => {
    const before = calls.length;
    const matches = await isPassword(PASSWORD, hash);
    return { matches, scrypts: calls.length - before };
  };

  const known = await workOf(stored);
  const unknown = await workOf(undefined);
  hook.disable();

  expect([known, unknown]).toEqual([
    { matches: true, scrypts: 1 },
    { matches: false, scrypts: 1 },
  ]);
});
