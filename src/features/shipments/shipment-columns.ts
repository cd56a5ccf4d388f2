import type { CsvColumns } from '../../web/services.js';
import { findFulfillments } from './repository.js';
import { shipmentOf } from './shipment.js';

/** The fulfillment, the carrier and the tracking number in the CSV export of orders. */
export const shipmentColumns: CsvColumns = {
  headings: (t) => [t('shipments.csv'), t('fields.carrier.label'), t('fields.tracking_number.label')],
  async readCells(queries, orderIds, t) {
    const fulfillments = await findFulfillments(queries, orderIds);
    const cells = [...fulfillments.values()].map((fulfillment) => {
      const { carrier, trackingNumber = '' } = shipmentOf(fulfillment) ?? {};
      const name = carrier ? t(`shipments.carriers.${carrier}`) : '';
      return [fulfillment.orderId, [t(`shipments.states.${fulfillment.state}`), name, trackingNumber]] as const;
    });
    return new Map(cells);
  },
};
