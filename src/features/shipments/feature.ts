import { jobKey } from '@tianguis/payments/back-office';
import { adminOf, FULFILLMENT } from '../../admin/permissions.js';
import { findShownFulfillment, mayFulfill } from '../../tables/fulfillments.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { adminFulfillment } from './admin-fulfillment.js';
import { fulfillmentList, toShipCards } from './fulfillment-list.js';
import { fulfillmentSection } from './fulfillment-section.js';
import { shipmentsPaths } from './paths.js';
import { shipmentColumns } from './shipment-columns.js';
import { SHIPMENT_FIELDS, STEP_FIELDS } from './shipment-form.js';
import { shipmentJobs } from './shipment-jobs.js';
import { fulfillOrder, sendPackingSlip, sendPackingSlips } from './shipment-routes.js';

/** The fulfillment of paid orders, with shipments and packing slips. */
export const shipments: Feature = {
  name: 'shipments',
  place: 70,
  forms: [STEP_FIELDS, SHIPMENT_FIELDS],
  orderJobKeys: (_queries, orderId) => [jobKey('shipped', orderId), jobKey('ready', orderId)],
  provides: { fulfillmentList },
  adminRoutes: () => [
    { post: shipmentsPaths.fulfillment, roles: FULFILLMENT, handler: fulfillOrder },
    { get: shipmentsPaths.packingSlip, roles: FULFILLMENT, handler: sendPackingSlip },
    { get: shipmentsPaths.packingSlips, roles: FULFILLMENT, handler: sendPackingSlips },
  ],
  slots: {
    'order.page': async (res, order) => {
      const context = contextOf(res);
      const fulfillment = await findShownFulfillment(context.checkout.db.queries, order);
      return fulfillment && fulfillmentSection(context, order, fulfillment);
    },
    'admin-order.section': async (res, record) => {
      const { order, fulfillment } = record;
      if (!fulfillment) return undefined;
      const context = contextOf(res);
      const fulfillable = await mayFulfill(context.checkout.db.queries, order);
      return {
        view: '/shipments/views/admin-fulfillment',
        model: adminFulfillment(context, record, fulfillment, fulfillable),
      };
    },
    'overview.work': (res) => toShipCards(contextOf(res), adminOf(res)),
  },
  csvColumns: shipmentColumns,
  jobs: shipmentJobs,
};
