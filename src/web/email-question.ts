import { CONTACT_FIELDS } from '../shop/rules/contact.js';
import { readField } from '../shop/rules/form-field.js';
import { DOMAIN_FIXES, EMAIL_DOMAINS, EMPTY_DOMAINS, suggestEmail } from '../shop/rules/suggest-email.js';

/**
 * Builds the model of views/partials/email-question.ejs, which asks about a typing error in an address. `isAsked`: the page asks
 * something else about it.
 */
export function emailQuestion(typed: string, isAsked = false) {
  const read = readField(typed, CONTACT_FIELDS.email);
  const email = 'value' in read ? read.value : '';
  const suggestion = suggestEmail(email);
  return {
    /** Absent: only the script may ask. */
    suggestion,
    /** Posted, so that the server asks once about an address. */
    asked: suggestion === undefined && !isAsked ? '' : email,
    rules: JSON.stringify({ domains: EMAIL_DOMAINS, emptyDomains: EMPTY_DOMAINS, fixes: DOMAIN_FIXES }),
  };
}
