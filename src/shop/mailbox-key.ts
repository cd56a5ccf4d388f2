import { createHash } from 'node:crypto';

/** Hosts whose mailboxes have the same name with and without dots. */
const WITHOUT_DOTS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * Returns a hash that is the same for all addresses of one mailbox: upper and lower case, a part after `+`, and dots where the
 * host ignores them.
 */
export function mailboxKey(email: string): string {
  const address = email.normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const name = address.slice(0, at).replace(/(?!^)\+.*$/, '');
  const isDotless = WITHOUT_DOTS.includes(host);
  const mailbox = isDotless ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
  return createHash('sha256').update(mailbox).digest('base64url').slice(0, 22);
}
