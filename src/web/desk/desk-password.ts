import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** A password is never longer; more would be work for nothing. */
const LONGEST = 200;

/** The desk's password as the process keeps it: derived by scrypt with a salt of its own, never in the clear. */
export interface DeskPassword {
  /** Takes the same time whatever was typed. */
  matches(typed: string): Promise<boolean>;
  /** Changes with the password, so that a new one ends every visit begun with the old one. */
  readonly mark: string;
}

export function deskPassword(password: string, sessionSecret: string): DeskPassword {
  const salt = randomBytes(SALT_BYTES);
  const kept = derive(password, salt, KEY_BYTES);
  return {
    async matches(typed) {
      const given = await derive(typed.slice(0, LONGEST), salt, KEY_BYTES);
      return timingSafeEqual(given, await kept) && typed.length <= LONGEST;
    },
    mark: createHmac('sha256', sessionSecret).update(`desk:${password}`).digest('base64url'),
  };
}
