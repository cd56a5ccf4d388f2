/** What the product page says about orders with a lower price than the present one. */
import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { Product } from '../../shop/rules/product.js';
import { readText } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import { MAX_ENDED_LINKS } from './end-links.js';
import { productsPaths } from './paths.js';
import { findUnderpricedOrders } from './repository.js';

/** Returns how many such orders have an open link, for a user who may end it. */
export async function underpricedText(res: Response, product: Product): Promise<string | undefined> {
  const { t, checkout } = contextOf(res);
  if (!adminOf(res).can(`POST ${productsPaths.endLinks}`)) return undefined;
  const search = { at: checkout.clock.now(), limit: MAX_ENDED_LINKS + 1 };
  const { length } = await findUnderpricedOrders(checkout.db.queries, product, search);
  if (length > MAX_ENDED_LINKS) return t('products.underpricedMany', { limit: MAX_ENDED_LINKS });
  return length === 0 ? undefined : t('products.underpriced', { count: length });
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
