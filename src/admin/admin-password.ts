import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { bulkhead } from 'cockatiel';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Maximum length in characters. Longer input is refused, and only this part of it is hashed. */
const MAX_LENGTH = 200;
/** Half of Node's four pool threads. DNS lookups and file reads need the others. Further checks queue. */
const MAX_PARALLEL = 2;

/** Password of the back office as a salted scrypt hash in memory. */
export interface AdminPassword {
  /** Returns whether the password is correct. The time does not depend on how much of it matches. */
  matches(typed: string): Promise<boolean>;
  /** HMAC of the password, stored in admin sessions. A new password invalidates the sessions of the old one. */
  readonly mark: string;
}

/** Creates the password check. The hash is derived in the background. */
export function hashPassword(password: string, sessionSecret: string): AdminPassword {
  const salt = randomBytes(SALT_BYTES);
  const expected = derive(password, salt, KEY_BYTES);
  const checks = bulkhead(MAX_PARALLEL, Number.POSITIVE_INFINITY);
  return {
    async matches(typed) {
      const given = await checks.execute(() => derive(typed.slice(0, MAX_LENGTH), salt, KEY_BYTES));
      return timingSafeEqual(given, await expected) && typed.length <= MAX_LENGTH;
    },
    mark: createHmac('sha256', sessionSecret).update(`admin:${password}`).digest('base64url'),
  };
}
