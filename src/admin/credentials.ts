/** Users of the back office: their creation and passwords (scrypt). */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ID_BYTES, timeOrderedId } from '@tianguis/payments/rules';
import { MAX_PASSWORD_LENGTH } from '../shop/rules/admin-user.js';
import { type AdminUser, hasAdminUsers, insertAdminUser } from '../tables/admin-users.js';
import type { Db } from '../tables/database.js';
import { fairQueue } from './fair-queue.js';

/** Adds a user. Returns false and changes nothing if the name is taken. */
export function addAdminUser(
  queries: Db,
  user: Pick<AdminUser, 'name' | 'role' | 'passwordHash'> & Partial<AdminUser>,
  at: number,
): Promise<boolean> {
  return insertAdminUser(queries, {
    email: null,
    mustChangePassword: 0,
    ...user,
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    totpSecret: null,
    totpStep: 0,
    disabledAt: null,
    sessionVersion: 1,
    createdAt: at,
    updatedAt: at,
  });
}

/** Adds the manager `admin` if there are no users. Several processes may call it at once. */
export async function addFirstAdminUser(
  queries: Db,
  { password, generated }: { readonly password: string; readonly generated: boolean },
  at: number,
): Promise<void> {
  if (await hasAdminUsers(queries)) return;
  const passwordHash = await hashPassword(password, generated ? LOW_COST : COST);
  await addAdminUser(queries, { name: 'admin', role: 'manager', passwordHash }, at);
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** One of the parameter sets that OWASP recommends. It uses 16 MiB. */
const COST: ScryptOptions = { N: 2 ** 14, r: 8, p: 5 };
/** For a generated password. It has 96 random bits, so its hash needs little work. */
export const LOW_COST: ScryptOptions = { N: 2 ** 10, r: 8, p: 1 };
/** Checks that wait, and for how long. One check takes about 200 ms, so 24 of them take 5 s. */
const MAX_WAITING = 24;
const MAX_WAIT_MS = 5_000;
/**
 * Each queue uses one of Node's four pool threads. DNS lookups and file reads need the others. Known devices have their own
 * queue, so checks of unknown devices do not delay them.
 */
const CHECKS = {
  known: fairQueue(MAX_WAITING, MAX_WAIT_MS),
  unknown: fairQueue(MAX_WAITING, MAX_WAIT_MS),
} as const;

/** Returns a hash to store, with parameters and salt. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(cost, salt, await derive(password, salt, KEY_BYTES, cost));
}

/** Compared instead of the hash of a user that does not exist. */
const NO_USER = format(COST, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));

/**
 * Returns whether the password is that of the stored hash. Without a hash the work is the same and the result is false.
 * The response time therefore does not reveal which names exist. `rank`: recent tries of the client; fewer are checked
 * first. `undefined` if too many checks wait: not checked.
 */
export async function isPassword(
  typed: string,
  stored: string | undefined,
  device: keyof typeof CHECKS = 'unknown',
  rank = 0,
): Promise<boolean | undefined> {
  const [, N, r, p, salt = '', key = ''] = (stored ?? NO_USER).split(':');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await CHECKS[device](rank, () =>
    derive(typed.slice(0, MAX_PASSWORD_LENGTH), Buffer.from(salt, 'base64url'), KEY_BYTES, cost),
  );
  if (given === undefined) return undefined;
  return timingSafeEqual(given, expected) && typed.length <= MAX_PASSWORD_LENGTH && stored !== undefined;
}

function format({ N, r, p }: ScryptOptions, salt: Buffer, key: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':');
}
