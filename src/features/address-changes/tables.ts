import type { Generated } from 'kysely';
import type { FeatureRows } from '../../tables/feature-rows.js';

interface FormerAddressesTable {
  id: Generated<number>;
  orderId: string;
  replacedAt: number;
  /** Name of the admin user who replaced it. */
  by: string;
  /** JSON with the address columns of the order. */
  address: string;
}

export interface Tables {
  formerAddresses: FormerAddressesTable;
}

export const ROWS = {
  formerAddresses: { personal: { by: 'orderId', copied: { address: 'json', replacedAt: 'time' } } },
} as const satisfies FeatureRows<Tables>;

export type JobName = 'address_changed' | 'merchant_address_changed';
