import { createHash, randomBytes } from 'node:crypto';

/** Base32, whose letters and digits are not mistaken for each other. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** 80 random bits, so that its hash needs little work. */
const CODE_LENGTH = 16;

/** Returns a first password or a recovery code, such as `abcd-efgh-2345-6mno`. */
export function newCode(): string {
  // 32 divides the 256 values of a byte, so each letter is equally likely.
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join('').replace(/.{4}(?=.)/g, '$&-');
}

/** Returns the SHA-256 of a random secret, as it is stored. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
