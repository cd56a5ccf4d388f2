/** Unpaid orders that froze a lower price than the present one, for example because the former price was a mistake. */
import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { StoredProduct } from '../../db/product-changes.js';
import type { CheckoutContext } from '../../shop/context.js';
import { cancelOrder } from '../../shop/order-actions.js';
import type { Product } from '../../shop/rules/product.js';
import { readText } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { findUnderpricedOrders } from './repository.js';

/** Links that one request ends, each in a transaction of its own. */
const MAX_ENDED_LINKS = 500;

const PRICE_CHANGED = { reason: 'price_or_stock', text: '' } as const;

/**
 * Ends the payment links of these orders, and records the admin user in the history of each. Orders whose payment may be
 * confirmed soon are skipped.
 */
export async function endUnderpricedLinks(context: CheckoutContext, product: Product, by: string) {
  const at = context.clock.now();
  const orders = await findUnderpricedOrders(context.db.queries, product, { at, limit: MAX_ENDED_LINKS });
  let ended = 0;
  for (const { id: orderId, version } of orders)
    if ((await cancelOrder(context, { orderId, version, by, cancellation: PRICE_CHANGED })) === 'cancelled') ended += 1;
  return { ended, skipped: orders.length - ended };
}

/** Returns the products with such orders that have an open link, for a user who may end it. */
export async function findUnderpriced(res: Response, products: readonly StoredProduct[]) {
  const { t, text, checkout } = contextOf(res);
  if (!adminOf(res).can(`POST ${productsPaths.endLinks}`)) return [];
  const search = { at: checkout.clock.now(), limit: MAX_ENDED_LINKS + 1 };
  const found = [];
  for (const { product } of products) {
    const { id, price, name } = product;
    const { length } = await findUnderpricedOrders(checkout.db.queries, { id, price }, search);
    const limit = MAX_ENDED_LINKS;
    const count =
      length > limit ? t('products.underpricedMany', { limit }) : t('products.underpriced', { count: length });
    if (length > 0) found.push({ id, name: text(name), text: count });
  }
  return found;
}

/** Returns the result of ending the links, from the counts in the query string. */
export function endedText(res: Response): string | undefined {
  const { t } = contextOf(res);
  const { query } = res.req;
  const [ended, skipped] = [readText(query['ended']), readText(query['skipped'])];
  if (![ended, skipped].every((count) => /^\d{1,3}$/.test(count))) return undefined;
  const texts = [t('products.linksEnded', { count: Number(ended) })];
  if (Number(skipped) > 0) texts.push(t('products.linksSkipped', { count: Number(skipped) }));
  return texts.join(' ');
}
