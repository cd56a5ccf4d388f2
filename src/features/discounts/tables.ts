import type { Centavos } from '@tianguis/payments/rules';
import type { Discount } from '../../shop/rules/discount.js';
import type { FeatureRows } from '../../tables/feature-rows.js';

export interface DiscountCodesTable extends Discount {
  code: string;
  /** The products must cost at least this. */
  minimum: Centavos;
  /** First and last day in Mexico City. Null: no limit. */
  startsOn: string | null;
  endsOn: string | null;
  /** Null: no limit. */
  maxUses: number | null;
  createdAt: number;
  /** Name of the admin user, as `endedBy`. */
  createdBy: string;
  /** Null: it was not ended. */
  endedAt: number | null;
  endedBy: string | null;
}

/** The use of a code by an order. Unpaid, it counts until `expiresAt`. */
export interface DiscountUsesTable {
  orderId: string;
  code: string;
  /** The cart of the order. Its own uses do not count against it. */
  cartId: string;
  /** Hashes of the client's networks, as in reservations. Empty without rate limits, and of a paid order. */
  addressKey: string;
  siteKey: string;
  networkKey: string;
  expiresAt: number;
  /** When the order was paid. */
  usedAt: number | null;
}

export interface Tables {
  discountCodes: DiscountCodesTable;
  discountUses: DiscountUsesTable;
}

export const ROWS = {
  discountCodes: {},
  /** Those of orders that were not paid expire, with the address hashes. */
  discountUses: { expires: { key: 'orderId', since: 'expiresAt', days: 1, where: 'used_at is null' } },
} as const satisfies FeatureRows<Tables>;
