import { findShownFulfillment } from '../../db/fulfillments.js';
import type { Feature } from '../feature.js';
import { fulfillmentSection } from './fulfillment-section.js';
import { shipmentColumns } from './shipment-columns.js';
import { shipmentJobs } from './shipment-jobs.js';

/** The fulfillment of paid orders, with shipments and packing slips. */
export const shipments: Feature = {
  async orderSection(context, order, isOwn) {
    const fulfillment = await findShownFulfillment(context.checkout.db.queries, order);
    return (
      fulfillment && { view: '/partials/fulfillment', model: fulfillmentSection(context, order, fulfillment, isOwn) }
    );
  },
  csvColumns: shipmentColumns,
  jobs: shipmentJobs,
};
