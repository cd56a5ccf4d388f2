import type { Request, Response } from 'express';
import type { AdminRouter } from '../../admin/permissions.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { sendProduct } from './product-page.js';
import { storedOf } from './products-routes.js';
import { readRows } from './read-rows.js';
import { ROW_COLUMNS } from './row-fields.js';
import { saveRows } from './save-rows.js';

/** Adds the page of a product with the form of its group. Some roles may change the stock only. */
export function addProductPageRoutes(app: AdminRouter): void {
  app.get(productsPaths.product, sendProduct);
  app.post(productsPaths.product, (req, res) => {
    const { productEditor } = contextOf(res);
    return productEditor ? productEditor.save(req, res) : save(req, res, [...ROW_COLUMNS, 'visible']);
  });
  app.post(productsPaths.productStock, (req, res) => save(req, res, ['stock']));
}

async function save(req: Request, res: Response, columns: readonly string[]): Promise<void> {
  const path = adminProductPath((await storedOf(res)).product);
  const saved = await saveRows(res, path, readRows(req, columns));
  if (saved) res.redirect(303, `${path}?result=${saved.changed.length > 0 ? 'saved' : 'unchanged'}`);
}
