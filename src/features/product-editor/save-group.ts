import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { Cells } from '../../catalog/product-cells.js';
import { groupIdOf } from '../../shop/rules/product.js';
import { findGroup } from '../../tables/product-changes.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm, redirectToForm } from '../../web/typed-form.js';
import { editedCells, type ProductChange } from '../products/change-rows.js';
import { storedOf } from '../products/product-page.js';
import { readRows } from '../products/read-rows.js';
import type { RefusedRows } from '../products/rows.js';
import { changeGroup, type GroupChange, type GroupChangeResult } from './change-group.js';
import { commonColumns, ownColumns, readAdded } from './read-form.js';

/** Saves the posted form of all members, and redirects to the page of the product. */
export async function saveGroup(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const { product } = await storedOf(res);
  const path = adminProductPath(product);
  const own = ownColumns(context);
  const form = { rows: readRows(req, own, commonColumns(context)), added: readAdded(req, own) };
  const change = { id: groupIdOf(product), ...form, at: clock.now(), by: adminOf(res).name };
  const outcome = await changeGroup(db, change, context.config.locales[0]);
  if (outcome.kind !== 'saved')
    return redirectToForm(res, path, await refusedRows(res, change, outcome), { isChecked: true });
  await forgetForm(res, path);
  for (const products of outcome.changed) log.info('product.changed', { products });
  for (const products of outcome.created) log.info('product.created', { products });
  const isChanged = outcome.changed.length + outcome.created.length > 0;
  res.redirect(303, `${path}?result=${isChanged ? 'saved' : 'unchanged'}`);
}

type UnsavedGroup = Exclude<GroupChangeResult, { kind: 'saved' }>;

/** Returns the form as typed. A later change of a product is not overwritten by it. */
async function refusedRows(
  res: Response,
  { id, rows, added }: Pick<GroupChange, 'id' | 'rows' | 'added'>,
  outcome: UnsavedGroup,
): Promise<RefusedRows> {
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
  const hidden = others.map((each) => ({ ...each, version: 0, cells: {} as Cells }));
  return { rows: [...rows.map(typed), ...addedRow, ...hidden], result: outcome.kind };
}
