import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { storedOf } from '../products/product-page.js';
import { endUnderpricedLinks } from './end-links.js';

/** Ends the payment links of orders with a lower price than the present one. The redirect carries both counts. */
export async function endLinks(_req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const { product } = await storedOf(res);
  const { ended, skipped } = await endUnderpricedLinks(checkout, product, adminOf(res).name);
  checkout.log.info('product.links_ended', { products: product.id, count: ended });
  res.redirect(303, `${adminProductPath(product)}?ended=${ended}&skipped=${skipped}`);
}
