/** Encryption at rest of the secrets of second factors: AES-256-GCM with a key that HKDF derives from `SESSION_SECRET`. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { findAdminUsers } from '../../tables/admin-users.js';
import type { Db } from '../../tables/database.js';
import { replaceTotpSecret } from './repository.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The length that NIST SP 800-38D recommends. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the text to store. It is valid for this user only, so it cannot be copied to another one. */
export function sealTotpSecret(secret: string, userId: string, sessionSecret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(sessionSecret), nonce).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return [ALGORITHM, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join(':');
}

/**
 * Returns the secret of a stored text, or `undefined` if it was encrypted with none of these session secrets. Earlier
 * versions stored the secret itself.
 */
export function openTotpSecret(stored: string, userId: string, sessionSecrets: readonly string[]): string | undefined {
  if (!isSealed(stored)) return stored;
  const opened = sessionSecrets.map((sessionSecret) => decrypt(stored, userId, sessionSecret));
  return opened.find((secret) => secret !== undefined);
}

function decrypt(stored: string, userId: string, sessionSecret: string): string | undefined {
  const [nonce, tag, sealed] = stored.split(':').slice(1).map(fromBase64);
  if (!nonce || !tag || !sealed) return undefined;
  try {
    const cipher = createDecipheriv(ALGORITHM, keyOf(sessionSecret), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(userId)).setAuthTag(tag);
    return Buffer.concat([cipher.update(sealed), cipher.final()]).toString('utf8');
  } catch {
    // Another key, another user, or a damaged text.
    return undefined;
  }
}

/**
 * Encrypts with the newest session secret what earlier versions stored, and what an older session secret encrypted. Ends no
 * session. Several processes may call it at once.
 */
export async function sealStoredSecrets(queries: Db, sessionSecrets: readonly [string, ...string[]]): Promise<void> {
  const [newest] = sessionSecrets;
  for (const { id, totpSecret: before } of await findAdminUsers(queries)) {
    if (before === null || (isSealed(before) && decrypt(before, id, newest) !== undefined)) continue;
    const secret = openTotpSecret(before, id, sessionSecrets);
    if (secret !== undefined)
      await replaceTotpSecret(queries, id, { before, after: sealTotpSecret(secret, id, newest) });
  }
}

/** Returns whether a text has the form of a sealed secret. */
function isSealed(stored: string): boolean {
  return stored.startsWith(`${ALGORITHM}:`);
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function keyOf(sessionSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sessionSecret, '', 'tianguis second factor', KEY_BYTES));
}
