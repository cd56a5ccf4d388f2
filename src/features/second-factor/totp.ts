/** Codes of authenticator apps: TOTP, RFC 6238. */
import { Secret, TOTP } from 'otpauth';
import { hashOf } from '../users/random-codes.js';

const TOTP_STEP_MS = 30_000;

/** Returns a new secret in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the address that an authenticator app reads. It contains the secret. */
export function totpAddress(issuer: string, secret: string, name: string): string {
  return new TOTP({ issuer, label: name, secret }).toString();
}

/** Returns the time step of a correct code of 6 digits, at most one step before or after `now`. Otherwise `undefined`. */
export function totpStepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ secret });
  const token = code.replace(/\s/g, '');
  const delta = /^\d{6}$/.test(token) ? totp.validate({ token, timestamp: now, window: 1 }) : null;
  return delta === null ? undefined : Math.floor(now / TOTP_STEP_MS) + delta;
}

/** Returns the hash of a typed recovery code, without regard to case, spaces and hyphens. `undefined` if it is none. */
export function recoveryCodeHash(typed: string): string | undefined {
  const code = typed.replace(/[\s\p{Pd}]/gu, '').toLowerCase();
  return /^[a-z2-7]{16}$/.test(code) ? hashOf(code) : undefined;
}
