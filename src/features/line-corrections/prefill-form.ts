import { findHistory } from '@tianguis/payments/back-office';
import { centavos, toPesosText } from '@tianguis/payments/rules';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { discountOf } from '../../shop/rules/discount.js';
import { isFee } from '../../shop/rules/fees.js';
import type { Db } from '../../tables/database.js';
import { findOrderLines, type Order } from '../../tables/orders.js';
import type { RequestContext } from '../../web/request-context.js';
import { emptyForm } from '../merchant-orders/form-page.js';
import type { NewOrderForm } from '../merchant-orders/read-form.js';

/** Returns the form with the products, the discount, the own shipping price and the customer of an order. */
export async function prefillForm(context: RequestContext, order: Order): Promise<NewOrderForm> {
  const form = emptyForm(context);
  const { queries } = context.checkout.db;
  const lines = await findOrderLines(queries, order.id);
  const goods = lines.filter(({ productId }) => !isFee(productId));
  const rows = goods.flatMap(({ productId, quantity }, index) => [
    [`product_${index + 1}`, productId],
    [`quantity_${index + 1}`, String(quantity)],
  ]);
  const discount = discountOf(lines);
  const shippingPrice = await findOwnShippingPrice(queries, order);
  const values = Object.fromEntries(CONTACT_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]));
  return {
    ...form,
    typed: {
      ...form.typed,
      ...Object.fromEntries(rows),
      ...(order.shippingOption !== 'none' && { shipping_option: order.shippingOption }),
      ...(discount > 0 && { discount_kind: 'amount', discount_value: toPesosText(discount) }),
      ...(shippingPrice !== undefined && { shipping_price: toPesosText(centavos(shippingPrice)) }),
    },
    contact: { values, problems: {} },
  };
}

/** Returns the shipping price in centavos that the merchant gave the order. `undefined`: it has that of the shop. */
async function findOwnShippingPrice(queries: Db, { id }: Order): Promise<number | undefined> {
  const placed = (await findHistory(queries, id)).find(({ kind }) => kind === 'placed');
  const { shippingPrice }: { shippingPrice?: number } = JSON.parse(placed?.detail ?? '{}');
  return shippingPrice;
}
