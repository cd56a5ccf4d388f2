import type { Generated } from 'kysely';

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

export type JobName = 'address_changed' | 'merchant_address_changed';
