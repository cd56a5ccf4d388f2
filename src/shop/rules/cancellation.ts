/** Why an admin user cancels an unpaid order. Pure. */

/** `paid_outside`: the customer paid the merchant without the gateway. It counts as no payment. */
export const CANCEL_REASONS = ['not_wanted', 'paid_outside', 'price_or_stock', 'other'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export interface Cancellation {
  readonly reason: CancelReason;
  /** Explains it. Required for `other`. Empty otherwise, if nothing was typed. */
  readonly text: string;
}
