/** Password hashes of back-office users: scrypt, with parameters and salt in the hash. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { bulkhead } from 'cockatiel';
import { MAX_PASSWORD_LENGTH } from '../domain/admin-user.js';

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** One of the parameter sets that OWASP recommends. It uses 16 MiB. */
const COST: Cost = { N: 2 ** 14, r: 8, p: 5 };
/** For a generated password. It has 96 random bits, so its hash needs little work. */
export const LOW_COST: Cost = { N: 2 ** 10, r: 8, p: 1 };
/** Half of Node's four pool threads. DNS lookups and file reads need the others. Further checks queue. */
const checks = bulkhead(2, Number.POSITIVE_INFINITY);

/** Returns a hash to store. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(cost, salt, await derive(password, salt, KEY_BYTES, cost));
}

/** Compared instead of the hash of a user that does not exist. */
const NO_USER = format(COST, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));

/**
 * Returns whether the password is that of the stored hash. Without a hash it does the same work and returns false, so the
 * response time does not reveal which names exist.
 */
export async function isPassword(typed: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (stored ?? NO_USER).split(':');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await checks.execute(() =>
    derive(typed.slice(0, MAX_PASSWORD_LENGTH), Buffer.from(salt, 'base64url'), KEY_BYTES, cost),
  );
  return timingSafeEqual(given, expected) && typed.length <= MAX_PASSWORD_LENGTH && stored !== undefined;
}

function format({ N, r, p }: Cost, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':');
}
