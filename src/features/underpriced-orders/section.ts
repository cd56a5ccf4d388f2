import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import { readText } from '../../web/form-body.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { Section } from '../../web/section.js';
import { MAX_ENDED_LINKS } from './end-links.js';
import { underpricedOrdersPaths } from './paths.js';
import { findUnderpricedOrders } from './repository.js';

const VIEWS = { product: '/underpriced-orders/views/product', list: '/underpriced-orders/views/list' } as const;

/** Returns the section of the products with such orders that have an open link, for a user who may end it. */
export async function underpricedSection(
  res: Response,
  products: readonly StoredProduct[],
  page: keyof typeof VIEWS,
): Promise<Section | undefined> {
  const { t, text, checkout } = contextOf(res);
  if (!adminOf(res).can(`POST ${underpricedOrdersPaths.endLinks}`)) return undefined;
  const search = { at: checkout.clock.now(), limit: MAX_ENDED_LINKS + 1 };
  const found = [];
  for (const { product } of products) {
    const { length } = await findUnderpricedOrders(checkout.db.queries, product, search);
    const limit = MAX_ENDED_LINKS;
    const count =
      length > limit ? t('underpricedOrders.countMany', { limit }) : t('underpricedOrders.count', { count: length });
    if (length > 0) found.push({ path: adminProductPath(product), name: text(product.name), text: count });
  }
  return found.length > 0 ? { view: VIEWS[page], model: { products: found, isNamed: products.length > 1 } } : undefined;
}

/** Returns the result of ending the links, from the counts in the query string. */
export function endedText(res: Response): string | undefined {
  const { t } = contextOf(res);
  const { query } = res.req;
  const [ended, skipped] = [readText(query['ended']), readText(query['skipped'])];
  if (![ended, skipped].every((count) => /^\d{1,3}$/.test(count))) return undefined;
  const texts = [t('underpricedOrders.ended', { count: Number(ended) })];
  if (Number(skipped) > 0) texts.push(t('underpricedOrders.skipped', { count: Number(skipped) }));
  return texts.join(' ');
}
