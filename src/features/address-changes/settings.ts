/** What it mails to `MERCHANT_EMAIL` about. */
export const NOTICES = 'corrected addresses';
