import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { recordProductEvents } from '../../db/product-changes.js';
import { lockProducts, releaseProduct } from '../../db/stock.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { sendProduct, storedOf } from './product-page.js';
import { readRows } from './read-rows.js';
import { ROW_COLUMNS } from './rows.js';
import { saveRows } from './save-rows.js';

/** Adds the page of a product with the form of its group, and its buttons. Some roles may change the stock only. */
export function addProductRoutes(app: AdminRouter): void {
  app.get(productsPaths.product, sendProduct);
  app.post(productsPaths.product, (req, res) => {
    const { productEditor } = contextOf(res);
    return productEditor ? productEditor.save(req, res) : save(req, res, [...ROW_COLUMNS, 'visible']);
  });
  app.post(productsPaths.productStock, (req, res) => save(req, res, ['stock']));
  app.post(productsPaths.releaseProduct, release);
}

async function save(req: Request, res: Response, columns: readonly string[]): Promise<void> {
  const path = adminProductPath((await storedOf(res)).product);
  const saved = await saveRows(res, path, readRows(req, columns));
  if (saved) res.redirect(303, `${path}?result=${saved.changed.length > 0 ? 'saved' : 'unchanged'}`);
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
