import { jobKey } from '@tianguis/payments/back-office';
import { FULFILLMENT } from '../../admin/permissions.js';
import { findShownFulfillment, mayFulfill } from '../../db/fulfillments.js';
import type { Feature } from '../feature.js';
import { adminFulfillment } from './admin-fulfillment.js';
import { fulfillmentList, toShipCards } from './fulfillment-list.js';
import { fulfillmentSection } from './fulfillment-section.js';
import { shipmentColumns } from './shipment-columns.js';
import { shipmentJobs } from './shipment-jobs.js';
import { addShipmentRoutes } from './shipment-routes.js';

/** The fulfillment of paid orders, with shipments and packing slips. */
export const shipments: Feature = {
  name: 'shipments',
  place: 70,
  // Tracking numbers often contain a valid check digit.
  fieldsWithCardCheck: ['tracking_number', 'shipment_reason', 'fulfillment_reason'],
  orderJobKeys: (_queries, orderId) => [jobKey('shipped', orderId), jobKey('ready', orderId)],
  permissions: {
    'POST /admin/orders/:number/fulfillment': FULFILLMENT,
    'GET /admin/orders/:number/packing-slip': FULFILLMENT,
    'GET /admin/orders/packing-slips': FULFILLMENT,
  },
  provides: { fulfillmentList },
  async orderSection(context, order) {
    const fulfillment = await findShownFulfillment(context.checkout.db.queries, order);
    return fulfillment && fulfillmentSection(context, order, fulfillment);
  },
  addAdminRoutes: addShipmentRoutes,
  async adminOrderSection(context, record) {
    const { order, fulfillment } = record;
    if (!fulfillment) return undefined;
    const fulfillable = await mayFulfill(context.checkout.db.queries, order);
    return {
      view: '/shipments/views/admin-fulfillment',
      model: adminFulfillment(context, record, fulfillment, fulfillable),
    };
  },
  workCards: toShipCards,
  csvColumns: shipmentColumns,
  jobs: shipmentJobs,
};
