import type { Order } from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import { deliveryOf } from '../domain/fulfillment.js';
import { formatMoment } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { PackingSlip } from './admin-view-models.js';
import { adminOrderPath } from './order-rows.js';

/** The order line with this product id is the shipping price. It is not packed. */
const SHIPPING_LINE = 'shipping';

/** Builds the packing slip of an order: recipient and products, without prices. */
export function packingSlip({ locale, t }: I18n, order: Order, lines: readonly OrderLine[]): PackingSlip {
  return {
    href: adminOrderPath(order),
    placed: formatMoment(order.createdAt, locale),
    delivery: t(`admin.slip.deliveries.${deliveryOf(order)}`),
    address: deliveryLines(order),
    lines: lines
      .filter(({ productId }) => productId !== SHIPPING_LINE)
      .map(({ productId, name, quantity }) => ({ productId, name, quantity })),
  };
}

/** Returns the recipient and the delivery address, one entry per line of the slip. */
function deliveryLines({ firstName, lastName }: Order): readonly string[] {
  return [`${firstName} ${lastName}`];
}
