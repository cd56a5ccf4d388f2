import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { productsPaths } from '../products/paths.js';
import { storedOf } from '../products/product-page.js';
import { deleteOrHideProduct } from './delete-product.js';

/** Deletes a product, or hides it if an order names it or it has variants. */
export async function deleteOrHide(_req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const { id } = (await storedOf(res)).product;
  const user = adminOf(res).name;
  const outcome = await deleteOrHideProduct(db, { id, at: clock.now(), by: user });
  if (outcome === 'hidden') log.info('product.changed', { products: id });
  if (outcome !== 'deleted') return res.redirect(303, `${adminProductPath({ id })}?result=${outcome}`);
  log.info('product.deleted', { products: id, user });
  res.redirect(303, `${productsPaths.products}?result=deleted`);
}
