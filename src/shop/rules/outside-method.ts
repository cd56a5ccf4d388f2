/** How an order was paid past the gateway, by the codes of the SAT's catalog of forms of payment. */

/** Cash, transfer, debit and credit card at the merchant's own terminal, check, electronic money, other. */
export const OUTSIDE_METHODS = ['01', '03', '28', '04', '02', '06', '99'] as const;
export type OutsideMethod = (typeof OUTSIDE_METHODS)[number];

/** Returns the stored method; `99` (other) for one that this version does not have. */
export function outsideMethodOf(stored: string | null): OutsideMethod {
  return OUTSIDE_METHODS.find((method) => method === stored) ?? '99';
}
