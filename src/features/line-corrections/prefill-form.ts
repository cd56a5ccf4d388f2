import { findOrderLines, type Order } from '../../db/orders.js';
import { toPesosText } from '../../payments/rules/index.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { discountOf } from '../../shop/rules/discount.js';
import { isFee } from '../../shop/rules/fees.js';
import type { RequestContext } from '../../web/request-context.js';
import { emptyForm } from '../merchant-orders/form-page.js';
import type { NewOrderForm } from '../merchant-orders/read-form.js';

/** Returns the form with the products, the discount and the customer of an order. */
export async function prefillForm(context: RequestContext, order: Order): Promise<NewOrderForm> {
  const form = emptyForm(context);
  const lines = await findOrderLines(context.checkout.db.queries, order.id);
  const goods = lines.filter(({ productId }) => !isFee(productId));
  const rows = goods.flatMap(({ productId, quantity }, index) => [
    [`product_${index + 1}`, productId],
    [`quantity_${index + 1}`, String(quantity)],
  ]);
  const discount = discountOf(lines);
  const values = Object.fromEntries(CONTACT_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]));
  return {
    ...form,
    typed: {
      ...form.typed,
      ...Object.fromEntries(rows),
      ...(order.shippingOption !== null && { shipping_option: order.shippingOption }),
      ...(discount > 0 && { discount_kind: 'amount', discount_value: toPesosText(discount) }),
    },
    contact: { values, problems: {} },
  };
}
