import { MANAGER } from '../../admin/permissions.js';
import { mayStoreTable } from '../../shop/read-shipping-table.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import type { Feature } from '../feature.js';
import { shippingTablePaths } from './paths.js';
import { addTableRoutes } from './table-routes.js';
import { addZoneRoutes } from './zone-routes.js';

/** The shipping table in the back office: zones, prices by weight or total, and days. */
export const shippingTable: Feature = {
  name: 'shipping-table',
  place: 206,
  needs: ['shop-settings'],
  fieldsWithCardCheck: ['postal_codes'],
  permissions: {
    'GET /admin/shipping': MANAGER,
    'POST /admin/shipping': MANAGER,
    'GET /admin/shipping/zones/:zone': MANAGER,
    'POST /admin/shipping/zones/:zone': MANAGER,
  },
  ownSettings: {
    names: () => [SHIPPING],
    label: (t) => t('shippingTable.title'),
    accepts: mayStoreTable,
  },
  adminLinks: [{ on: 'shop', href: shippingTablePaths.table, label: (t) => t('shippingTable.title') }],
  addAdminRoutes(app) {
    addTableRoutes(app);
    addZoneRoutes(app);
  },
};
