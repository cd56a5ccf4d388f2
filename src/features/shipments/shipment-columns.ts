import type { CsvColumns } from '../../web/services.js';
import { findFulfillments } from './repository.js';
import { shipmentOf } from './shipment.js';

/** The fulfillment, the carrier and the tracking number in the CSV export of orders. */
export const shipmentColumns: CsvColumns = {
  headings: (t) => [t('admin.csv.fulfillment'), t('fields.carrier.label'), t('fields.tracking_number.label')],
  async readCells(queries, orderIds, t) {
    const fulfillments = await findFulfillments(queries, orderIds);
    const cells = [...fulfillments.values()].map((fulfillment) => {
      const { carrier, trackingNumber = '' } = shipmentOf(fulfillment) ?? {};
      const name = carrier ? t(`fulfillment.carriers.${carrier}`) : '';
      return [fulfillment.orderId, [t(`fulfillment.states.${fulfillment.state}`), name, trackingNumber]] as const;
    });
    return new Map(cells);
  },
};
