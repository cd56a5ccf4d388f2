import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { shippingLabel } from '../../locales/frozen-shipping.js';
import { FULFILLMENT_FILTERS, isInShop } from '../../shop/rules/fulfillment.js';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import { adminPaths } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import type { FulfillmentCell, FulfillmentList, ListContext } from '../../web/services.js';
import { FULFILLMENT_TONES } from './admin-fulfillment.js';
import { shipmentsPaths } from './paths.js';
import { countToShip, findFulfillable, findFulfillments } from './repository.js';

/** Upper limit of the count, because counting costs time. */
const MAX_COUNT = 1_000;

/** The column and the filter of the back office's list of orders, and the packing slips of several orders. */
const href = shipmentsPaths.packingSlips;

export const fulfillmentList: FulfillmentList = {
  label: (t) => t('shipments.admin.title'),
  filters: (t) =>
    FULFILLMENT_FILTERS.map((value) => ({
      value,
      label: t(value === 'to_ship' ? 'shipments.admin.toShip' : `shipments.states.${value}`),
    })),
  readCells,
  selectionForm: (can) => (can(`GET ${href}`) ? { view: '/shipments/views/packing-list', model: { href } } : undefined),
};

async function readCells({ t, checkout }: ListContext, orders: readonly Order[]) {
  const ids = orders.map(({ id }) => id);
  const { queries } = checkout.db;
  const fulfillable = await findFulfillable(queries, ids);
  const fulfillments = await findFulfillments(queries, ids);
  const cellOf = ({ orderId, state }: Fulfillment): FulfillmentCell => {
    if (isInShop(state) && !fulfillable.has(orderId))
      return { text: t('shipments.admin.notToShip'), tone: 'review', isSelectable: false };
    if (state === 'preparing') return { text: t('shipments.admin.toShip'), tone: 'waiting', isSelectable: true };
    return { text: t(`shipments.states.${state}`), tone: FULFILLMENT_TONES[state], isSelectable: false };
  };
  return new Map(
    orders.flatMap((order) => {
      const fulfillment = fulfillments.get(order.id);
      return fulfillment ? [[order.id, { ...cellOf(fulfillment), delivery: shippingLabel(t, order) }]] : [];
    }),
  );
}

/** Builds the card of the orders to ship. */
export async function toShipCards(context: RequestContext, { can }: AdminAccess): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  const count = await countToShip(checkout.db.queries, MAX_COUNT);
  const list = { label: t('shipments.cards.toShipList'), href: `${adminPaths.orders}?fulfillment=to_ship` };
  const slips = { label: t('shipments.cards.toShipPrint'), href: shipmentsPaths.packingSlips };
  const links = can(`GET ${shipmentsPaths.packingSlips}`) ? [list, slips] : [list];
  return [
    {
      title: t('shipments.cards.toShip'),
      figure: figureOf(context, count, MAX_COUNT),
      tone: count === 0 ? 'good' : 'waiting',
      lines: [t('shipments.cards.toShipHint')],
      links: count === 0 ? [] : links,
    },
  ];
}
