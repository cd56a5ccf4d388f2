/** Corrections of typing errors in the domain of an e-mail address. `public/email.js` has the same rules. Pure. */

/** Common domains of mailboxes in Mexico, the most used first. An address at one of them is never asked about. */
export const EMAIL_DOMAINS: readonly string[] = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com.mx',
  'yahoo.com',
  'icloud.com',
  'live.com.mx',
  'outlook.es',
  'hotmail.es',
  'prodigy.net.mx',
  'live.com',
  // Real ones that differ from another one in a letter.
  'ymail.com',
  'mail.com',
  'email.com',
];

/** Endings that do not exist, in place of `.com`. */
export const WRONG_ENDING = String.raw`\.(?:con|cmo|ocm|comm|coom|cpm|vom|xom)(?=$|\.mx$)`;

/**
 * Returns the address with the domain that the customer probably meant, or `undefined`. The domain may be a real one, so the
 * address is only asked about.
 */
export function suggestEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (at === 0 || EMAIL_DOMAINS.includes(domain)) return undefined;
  const ended = domain.replace(new RegExp(WRONG_ENDING), '.com');
  const known = EMAIL_DOMAINS.includes(ended) ? ended : EMAIL_DOMAINS.find((each) => isOneEdit(ended, each));
  const meant = known ?? ended;
  return meant === domain ? undefined : email.slice(0, at) + meant;
}

/** Returns whether two texts differ in one letter, in one that is missing, or in two that changed places. */
function isOneEdit(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
