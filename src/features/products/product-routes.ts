import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { recordProductEvents } from '../../tables/product-changes.js';
import { lockProducts } from '../../tables/stock.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { storedOf } from './product-page.js';
import { readRows } from './read-rows.js';
import { releaseProduct } from './repository.js';
import { ROW_COLUMNS } from './rows.js';
import { saveRows } from './save-rows.js';

/** Stores the form of a product and its group. */
export function saveProduct(req: Request, res: Response): Promise<void> {
  const { productEditor } = contextOf(res);
  return productEditor ? productEditor.save(req, res) : save(req, res, [...ROW_COLUMNS, 'visible']);
}

/** Stores the stock of a product, for roles that may change the stock only. */
export function saveStock(req: Request, res: Response): Promise<void> {
  return save(req, res, ['stock']);
}

async function save(req: Request, res: Response, columns: readonly string[]): Promise<void> {
  const path = adminProductPath((await storedOf(res)).product);
  const saved = await saveRows(res, path, readRows(req, columns));
  if (saved) res.redirect(303, `${path}?result=${saved.changed.length > 0 ? 'saved' : 'unchanged'}`);
}

/** Ends all reservations of a product. Its unpaid orders can still be paid, while pieces are free. */
export async function releaseReservations(_req: Request, res: Response): Promise<void> {
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
