/** What it mails to `MERCHANT_EMAIL` about. */
export const NOTICES = 'sales, orders in review';

/** The merchant may change it in the back office. */
export function toConfig(_settings: object) {
  return {
    /** Whether `MERCHANT_EMAIL` gets a mail about each paid order. */
    mailsPaidOrders: true,
  };
}
