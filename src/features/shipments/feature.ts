import { jobKey } from '@tianguis/payments/back-office';
import { FULFILLMENT } from '../../admin/permissions.js';
import { findShownFulfillment, mayFulfill } from '../../db/fulfillments.js';
import type { Feature } from '../feature.js';
import { adminFulfillment } from './admin-fulfillment.js';
import { fulfillmentList, toShipCards } from './fulfillment-list.js';
import { fulfillmentSection } from './fulfillment-section.js';
import { shipmentsPaths } from './paths.js';
import { shipmentColumns } from './shipment-columns.js';
import { shipmentJobs } from './shipment-jobs.js';
import { fulfillOrder, sendPackingSlip, sendPackingSlips } from './shipment-routes.js';

/** The fulfillment of paid orders, with shipments and packing slips. */
export const shipments: Feature = {
  name: 'shipments',
  place: 70,
  // Tracking numbers often contain a valid check digit.
  fieldsWithCardCheck: ['tracking_number', 'shipment_reason', 'fulfillment_reason'],
  orderJobKeys: (_queries, orderId) => [jobKey('shipped', orderId), jobKey('ready', orderId)],
  provides: { fulfillmentList },
  async orderSection(context, order) {
    const fulfillment = await findShownFulfillment(context.checkout.db.queries, order);
    return fulfillment && fulfillmentSection(context, order, fulfillment);
  },
  adminRoutes: () => [
    { post: shipmentsPaths.fulfillment, roles: FULFILLMENT, handler: fulfillOrder },
    { get: shipmentsPaths.packingSlip, roles: FULFILLMENT, handler: sendPackingSlip },
    { get: shipmentsPaths.packingSlips, roles: FULFILLMENT, handler: sendPackingSlips },
  ],
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
