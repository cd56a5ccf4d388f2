/** Second factor of the sign-in: time-based codes (TOTP, RFC 6238) with 6 digits and steps of 30 s. */
import { Secret, TOTP } from 'otpauth';
import { brand } from '../locales/brand.js';

const STEP_MS = 30_000;

/** Returns a new secret in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the address that an authenticator app reads. It contains the secret. */
export function totpAddress(secret: string, name: string): string {
  return new TOTP({ issuer: brand.name, label: name, secret }).toString();
}

/** Returns the time step of a correct code, at most one step before or after `now`. Otherwise `undefined`. */
export function totpStepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ secret });
  const token = code.replace(/\s/g, '');
  const delta = /^\d{6}$/.test(token) ? totp.validate({ token, timestamp: now, window: 1 }) : null;
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta;
}
