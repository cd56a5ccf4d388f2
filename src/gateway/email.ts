import { domainToASCII } from 'node:url';

/** Converts the domain of an e-mail address to ASCII, the only form that the gateway accepts (`exámple.mx` → `xn--…`). */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  return domain === '' ? email : `${email.slice(0, at)}@${domain}`;
}
