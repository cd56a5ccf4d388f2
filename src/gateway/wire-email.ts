import { domainToASCII } from 'node:url';

/** An e-mail address as the service takes it: a domain of other letters in its ASCII form (`exámple.mx` → `xn--…`). */
export function toWireEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  return domain === '' ? email : `${email.slice(0, at)}@${domain}`;
}
