import type { Generated } from 'kysely';
import type { FeatureRows } from '../../tables/feature-rows.js';

interface FormerContactsTable {
  id: Generated<number>;
  orderId: string;
  replacedAt: number;
  /** Name of the admin user who replaced it. */
  by: string;
  /** JSON with name, e-mail and phone. */
  contact: string;
  /** The token of the order's former link, if the correction replaced it. */
  token: string | null;
}

export interface Tables {
  formerContacts: FormerContactsTable;
}

export const ROWS = {
  formerContacts: { personal: { by: 'orderId', copied: { contact: 'json', replacedAt: 'time' } } },
} as const satisfies FeatureRows<Tables>;

export type JobName = 'contact_changed' | 'contact_removed';
