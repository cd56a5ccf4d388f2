import type { Order } from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import { deliveryOf } from '../domain/fulfillment.js';
import { SHIPPING_LINE } from '../domain/shipping.js';
import { addressLines } from '../locales/address.js';
import { formatMoment } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { PackingSlip } from './admin-view-models.js';
import { adminOrderPath } from './order-rows.js';

/** Builds the packing slip of an order: recipient and products, without prices. */
export function packingSlip({ locale, t }: I18n, order: Order, lines: readonly OrderLine[]): PackingSlip {
  return {
    href: adminOrderPath(order),
    placed: formatMoment(order.createdAt, locale),
    delivery: t(`admin.slip.deliveries.${deliveryOf(order)}`),
    address: [`${order.firstName} ${order.lastName}`, ...addressLines(t, order)],
    lines: lines
      .filter(({ productId }) => productId !== SHIPPING_LINE)
      .map(({ productId, name, quantity }) => ({ productId, name, quantity })),
  };
}
