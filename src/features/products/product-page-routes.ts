import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { groupIdOf } from '../../shop/rules/product.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm, redirectToForm } from '../../web/typed-form.js';
import { changeGroup, type GroupChangeResult } from './change-group.js';
import type { RefusedForm } from './group-form.js';
import { productsPaths } from './paths.js';
import { sendProduct } from './product-page.js';
import { storedOf } from './products-routes.js';
import { commonColumns, ownColumns, readAdded, readRows } from './read-form.js';
import { editedCells, type ProductChange } from './read-group.js';
import { findGroup } from './repository.js';

/** Adds the page of a product with the form of its group. Some roles may change the stock only. */
export function addProductPageRoutes(app: AdminRouter): void {
  app.get(productsPaths.product, sendProduct);
  app.post(productsPaths.product, (req, res) => {
    const own = ownColumns(contextOf(res));
    return save(req, res, { common: commonColumns(contextOf(res)), own, added: readAdded(req, own) });
  });
  app.post(productsPaths.productStock, (req, res) => save(req, res, { common: [], own: ['stock'], added: undefined }));
}

interface FormColumns {
  readonly common: readonly string[];
  readonly own: readonly string[];
  readonly added: ReturnType<typeof readAdded>;
}

async function save(req: Request, res: Response, { added, ...columns }: FormColumns): Promise<void> {
  const { checkout, config } = contextOf(res);
  const { db, clock, log } = checkout;
  const { product } = await storedOf(res);
  const [id, path] = [groupIdOf(product), adminProductPath(product)];
  const rows = readRows(req, columns);
  const change = { id, rows, added, at: clock.now(), by: adminOf(res).name };
  const outcome = await changeGroup(db, change, config.locales[0]);
  if (outcome.kind !== 'saved') return redirectToForm(res, path, await refusedForm(res, change, outcome));
  await forgetForm(res, path);
  for (const products of outcome.changed) log.info('product.changed', { products });
  for (const products of outcome.created) log.info('product.created', { products });
  const isChanged = outcome.changed.length + outcome.created.length > 0;
  res.redirect(303, `${path}?result=${isChanged ? 'saved' : 'unchanged'}`);
}

type Refusal = Exclude<GroupChangeResult, { kind: 'saved' }>;

/** Returns the form as typed. A later change of a product is not overwritten by it. */
async function refusedForm(
  res: Response,
  { id, rows, added }: Pick<Parameters<typeof changeGroup>[1], 'id' | 'rows' | 'added'>,
  outcome: Refusal,
): Promise<RefusedForm> {
  const group = await findGroup(contextOf(res).checkout.db.queries, id);
  const found = outcome.kind === 'refused' ? outcome.rows : [];
  const problemsOf = (row: string) => ({ problems: [], ...found.find((each) => each.id === row) });
  const typed = (row: ProductChange) => ({
    ...problemsOf(row.id),
    id: row.id,
    version: group.find(({ product }) => product.id === row.id)?.version ?? 0,
    cells: editedCells(row),
  });
  const addedRow = added ? [{ ...problemsOf(''), id: '', version: 0, cells: added }] : [];
  // Problems of products that are not in the form are shown at its fields, too.
  const others = found.filter((each) => ![...rows, ...addedRow].some((row) => row.id === each.id));
  const hidden = others.map((each) => ({ ...each, version: 0, cells: {} }));
  return { rows: [...rows.map(typed), ...addedRow, ...hidden], result: outcome.kind };
}
