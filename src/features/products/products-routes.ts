import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { findStoredProduct, recordProductEvents, type StoredProduct } from '../../db/product-changes.js';
import { lockProducts, releaseProduct } from '../../db/stock.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { endUnderpricedLinks } from './end-links.js';
import { productsPaths } from './paths.js';

/** Adds the buttons that end reservations and payment links of a product. */
export function addProductsRoutes(app: AdminRouter): void {
  app.post(productsPaths.releaseProduct, release);
  app.post(productsPaths.endLinks, endLinks);
}

/** Returns the product of the path. Throws `admin_not_found`. */
export async function storedOf(res: Response): Promise<StoredProduct> {
  const { queries } = contextOf(res).checkout.db;
  const stored = await findStoredProduct(queries, String(res.req.params['id']));
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}

/** Ends all reservations of a product. Its unpaid orders can still be paid, while pieces are free. */
async function release(_req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const { id } = (await storedOf(res)).product;
  const [at, by] = [clock.now(), adminOf(res).name];
  const orders = await db.transaction(async (queries) => {
    await lockProducts(queries, [id]);
    const released = await releaseProduct(queries, id, at);
    const detail = { reserved: [String(released.length), '0'] } as const;
    if (released.length > 0) await recordProductEvents(queries, [{ productId: id, at, by, kind: 'changed', detail }]);
    return released;
  });
  log.info('product.released', { products: id, count: orders.length });
  res.redirect(303, `${adminProductPath({ id })}?result=${orders.length > 0 ? 'released' : 'unchanged'}`);
}

/** Ends the payment links of orders with a lower price than the present one. The redirect carries both counts. */
async function endLinks(_req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const { product } = await storedOf(res);
  const { ended, skipped } = await endUnderpricedLinks(checkout, product, adminOf(res).name);
  checkout.log.info('product.links_ended', { products: product.id, count: ended });
  res.redirect(303, `${adminProductPath(product)}?ended=${ended}&skipped=${skipped}`);
}
