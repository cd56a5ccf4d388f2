import type { FeatureRows } from '../../tables/feature-rows.js';

interface PostalCodesTable {
  code: string;
  /** JSON: names. A few codes belong to several municipalities. */
  municipalities: string;
  /** JSON: names. */
  neighborhoods: string;
}

export interface Tables {
  postalCodes: PostalCodesTable;
}

export const ROWS = { postalCodes: {} } as const satisfies FeatureRows<Tables>;
