import { MANAGER } from '../../admin/permissions.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import type { Feature } from '../feature.js';
import { mayStoreTable } from './may-store-table.js';
import { shippingTablePaths } from './paths.js';
import { CODE_FIELDS } from './read-zone.js';
import { saveTable, sendTable } from './table-routes.js';
import { saveZone, sendZone } from './zone-routes.js';

/** The shipping table in the back office: zones, prices by weight or total, and days. */
export const shippingTable: Feature = {
  name: 'shipping-table',
  place: 206,
  needs: ['shop-settings'],
  forms: [CODE_FIELDS],
  ownSettings: {
    names: () => [SHIPPING],
    label: (t) => t('shippingTable.title'),
    accepts: mayStoreTable,
  },
  adminRoutes: () => [
    {
      get: shippingTablePaths.table,
      roles: MANAGER,
      handler: sendTable,
      link: { on: 'shop', label: (t) => t('shippingTable.title') },
    },
    { post: shippingTablePaths.table, roles: MANAGER, handler: saveTable },
    { get: shippingTablePaths.zone, roles: MANAGER, handler: sendZone },
    { post: shippingTablePaths.zone, roles: MANAGER, handler: saveZone },
  ],
};
