/** Why a setting with an address is refused. A reason never contains the value, because it may hold a password. */
import { domainToASCII } from 'node:url';
import { parseUrl } from '@tianguis/payments/rules';

type Reason = string | undefined;

const ENCODE =
  'must have special characters of user and password percent-encoded: # as %23, / as %2F, ? as %3F, @ as %40';

/** Returns whether a character of the user or password ends the host of the URL early. */
function hasOpenCredentials(value: string): boolean {
  const [, rest = ''] = /^[a-z]+:\/\/[^/?#]+(.*)$/is.exec(value) ?? [];
  return rest.includes('#') || /^[^?]*@|^\?.*@/.test(rest);
}

export function databaseUrlProblem(value: string): Reason {
  if (/^file:./.test(value)) return undefined;
  if (!/^postgres(?:ql)?:\/\/./.test(value)) return 'must start with file: or postgres://';
  if (hasOpenCredentials(value)) return ENCODE;
  // A socket is named by `?host=` and leaves the host empty.
  return parseUrl(value.replace('@/', '@localhost/'))
    ? undefined
    : 'must be postgres://user:password@host:port/database';
}

export function smtpUrlProblem(value: string): Reason {
  if (!/^smtps?:\/\//i.test(value)) return 'must start with smtp:// or smtps://';
  if (hasOpenCredentials(value)) return ENCODE;
  return parseUrl(value)?.hostname ? undefined : 'must be smtp://user:password@host:port';
}

/** For one address. Nodemailer sends a domain in ASCII form, and other letters before the @ as they are. */
export function mailAddressProblem(value: string): Reason {
  if (!/^[^\s@,;:<>()"[\]\\]+@[^\s@,;:<>()"[\]\\]+$/.test(value)) return 'must be one email address';
  const [local = '', domain = ''] = value.split('@');
  if (!/^[\x21-\x7e]+$/.test(local))
    return 'must have ASCII characters before the @, because many mail servers refuse others';
  return domainToASCII(domain) === '' ? 'must have a domain after the @' : undefined;
}

/** For `name@example.mx` or `Name <name@example.mx>`. Mail servers refuse mails with several senders. */
export function senderProblem(value: string): Reason {
  if (/[\r\n]/.test(value)) return 'must be one line';
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]*)>$/.exec(value) ?? [undefined, '', value];
  const isName = /^(?:"(?:[^"\\]|\\.)*"|[^",;:<>()@\\[\]]*)$/.test(name);
  if (!isName) return 'must be one email address, or Name <address>; a name with a comma or other signs needs quotes';
  return mailAddressProblem(address);
}
