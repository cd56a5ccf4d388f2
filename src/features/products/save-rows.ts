import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { findStoredProducts } from '../../tables/product-changes.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm, redirectToForm } from '../../web/typed-form.js';
import { changeRows, editedCells, type ProductChange, type RowsChangeResult } from './change-rows.js';
import type { RefusedRows } from './rows.js';

type Saved = Extract<RowsChangeResult, { kind: 'saved' }>;

/**
 * Saves the products of a form, and returns the changed ones. If they are refused, it redirects to the page of the form,
 * which shows `typed`, and returns `undefined`.
 */
export async function saveRows(
  res: Response,
  path: string,
  rows: readonly ProductChange[],
  typed = rows,
): Promise<Saved | undefined> {
  const { checkout, config } = contextOf(res);
  const { db, clock, log } = checkout;
  const author = { at: clock.now(), by: adminOf(res).name };
  const outcome = await changeRows(db, rows, author, config.locales[0]);
  if (outcome.kind !== 'saved') {
    await redirectToForm(res, path, await refusedRows(res, typed, outcome), { isChecked: true });
    return undefined;
  }
  await forgetForm(res, path);
  for (const products of outcome.changed) log.info('product.changed', { products });
  return outcome;
}

type UnsavedRows = Exclude<RowsChangeResult, { kind: 'saved' }>;

/** Returns the form as typed. A later change of a product is not overwritten by it. */
async function refusedRows(res: Response, rows: readonly ProductChange[], outcome: UnsavedRows): Promise<RefusedRows> {
  const ids = rows.map(({ id }) => id);
  const products = await findStoredProducts(contextOf(res).checkout.db.queries, ids);
  const typed = rows.map((row) => ({
    problems: [],
    ...outcome.rows.find(({ id }) => id === row.id),
    id: row.id,
    cells: editedCells(row),
    version: products.find(({ product }) => product.id === row.id)?.version ?? 0,
  }));
  return { rows: typed, result: outcome.kind };
}
