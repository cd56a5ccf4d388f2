import { isInShop } from '../../shop/rules/fulfillment.js';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { CsvColumns } from '../../web/services.js';
import { findFulfillable, findFulfillments } from './repository.js';
import { shipmentOf } from './shipment.js';

/** The fulfillment, or that the order must not be fulfilled now, the carrier and the tracking number in the CSV export of orders. */
export const shipmentColumns: CsvColumns = {
  headings: (t) => [t('shipments.csv'), t('fields.carrier.label'), t('fields.tracking_number.label')],
  async readCells(queries, orderIds, t) {
    const fulfillments = await findFulfillments(queries, orderIds);
    const fulfillable = await findFulfillable(queries, orderIds);
    const stateOf = ({ orderId, state }: Fulfillment) =>
      t(isInShop(state) && !fulfillable.has(orderId) ? 'shipments.admin.notToShip' : `shipments.states.${state}`);
    const cells = [...fulfillments.values()].map((fulfillment) => {
      const { carrier, trackingNumber = '' } = shipmentOf(fulfillment) ?? {};
      const name = carrier ? t(`shipments.carriers.${carrier}`) : '';
      return [fulfillment.orderId, [stateOf(fulfillment), name, trackingNumber]] as const;
    });
    return new Map(cells);
  },
};
