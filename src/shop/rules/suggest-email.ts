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
  'mail.com.mx',
  'email.com.mx',
];

/** Domains without mailboxes that other typing errors lead to. */
export const EMPTY_DOMAINS: readonly string[] = ['gmail.com.mx'];

/** What no domain has, and what stands in its place, in this order. */
export const DOMAIN_FIXES: readonly (readonly [pattern: string, replacement: string])[] = [
  // Endings that do not exist.
  [String.raw`\.(?:con|cmo|ocm|comm|coom|cpm|vom|xom)(?=$|\.mx$)`, '.com'],
  [String.raw`(\.(?:com|net|mx|es))\1+(?=$|\.mx$)`, '$1'],
  // Their mailboxes have no domain of a country.
  [String.raw`^(gmail|ymail|icloud)\.(?:[a-z]{2,4}\.)?[a-z]{2,5}$`, '$1.com'],
];

/**
 * Returns the address with the domain that the customer probably meant, or `undefined`. The domain may be a real one, so the
 * address is only asked about.
 */
export function suggestEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).toLowerCase();
  if (at === 0 || EMAIL_DOMAINS.includes(domain)) return undefined;
  const fixed = fixDomain(domain);
  const isKnown = EMAIL_DOMAINS.includes(fixed);
  const near = isKnown ? fixed : [...EMAIL_DOMAINS, ...EMPTY_DOMAINS].find((each) => isOneEdit(fixed, each));
  const meant = fixDomain(near ?? fixed);
  return meant === domain ? undefined : email.slice(0, at) + meant;
}

function fixDomain(domain: string): string {
  return DOMAIN_FIXES.reduce((text, [pattern, replacement]) => text.replace(new RegExp(pattern), replacement), domain);
}

/** Returns whether two texts differ in one letter, in one that is missing, or in two that changed places. */
function isOneEdit(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
