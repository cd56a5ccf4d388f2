import type { FeatureRows } from '../../tables/feature-rows.js';
import type { PicturesTable } from '../../tables/schema.js';

export const ROWS = {
  /**
   * Uploaded pictures that no product and no setting has. An undone change may need the picture of an earlier setting. The
   * change of a product that adds a picture also stores it. The index of each table is read, so that no picture's file is.
   */
  pictures: {
    expires: {
      key: 'hash',
      since: 'storedAt',
      days: 1,
      where: `not exists (select 1 from products where products.image = '/pictures/' || pictures.hash)
        and not exists (select 1 from product_pictures where product_pictures.image = '/pictures/' || pictures.hash)
        and not exists (select 1 from shop_settings_values where name in ('brand.logo', 'brand.heroImage') and value = '"/pictures/' || pictures.hash || '"')`,
    },
  },
} as const satisfies FeatureRows<{ pictures: PicturesTable }>;
