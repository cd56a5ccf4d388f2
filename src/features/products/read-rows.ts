/** Reads the posted rows of products. Their fields are named as the columns of the CSV file. */
import type { Request } from 'express';
import type { Cells } from '../../catalog/product-cells.js';
import { fieldsOf, postedText, readText } from '../../web/form-body.js';
import type { ProductChange } from './change-rows.js';

const CHECKBOXES = ['visible', 'featured'];

/** Ends the names of the fields of a row, from 0. Those of the main product are as in the form of a single product. */
export function suffixOf(row: number): string {
  return row === 0 ? '' : `-${row + 1}`;
}

/** Returns the posted cells. A column that the form does not have is absent, so that it does not change. */
export function readCells(req: Request, columns: readonly string[], suffix = ''): Cells {
  const fields = fieldsOf(req);
  const cells = columns.map((column) => [column, fields[`${column}${suffix}`]] as const);
  const posted = cells.filter(([column, value]) => value !== undefined || CHECKBOXES.includes(column));
  return Object.fromEntries(posted.map(([column, value]) => [column, readCell(column, readText(value))]));
}

function readCell(column: string, text: string): string {
  if (CHECKBOXES.includes(column)) return text === 'yes' ? 'yes' : 'no';
  return column.startsWith('price') ? text.trim().replace(/^\$\s*/, '') : text;
}

/**
 * Returns the posted rows of a group, each with the id of its product. The main product, which has the `common` columns, too,
 * may be another one since the page was rendered.
 */
export function readRows(
  req: Request,
  columns: readonly string[],
  common: readonly string[] = [],
): readonly ProductChange[] {
  const suffixes = Object.keys(fieldsOf(req)).flatMap((name) => /^id(-\d{1,2})$/.exec(name)?.[1] ?? []);
  const variants = suffixes.map((suffix) => readRow(req, columns, suffix));
  return [readRow(req, [...common, ...columns], ''), ...variants];
}

/**
 * Ends the names of the fields of a row of the list. The row may have another place after a sign-in. `:` keeps an id that is a
 * barcode apart, see src/web/middleware/refuse-card-data.ts.
 */
export function listSuffix(id: string): string {
  return `:${id}`;
}

/** Returns the posted rows of the list, with the cells that differ from those that the admin user saw. */
export function readListRows(req: Request, columns: readonly string[]): readonly ProductChange[] {
  const ids = Object.keys(fieldsOf(req)).flatMap((name) => /^version:([\w-]{1,64})$/.exec(name)?.[1] ?? []);
  return ids.map((id) => {
    const row = { ...readRow(req, columns, listSuffix(id)), id };
    const edited = Object.entries(row.cells).filter(
      ([column, cell]) => cell !== postedText(req, `seen_${column}${listSuffix(id)}`),
    );
    return { ...row, cells: Object.fromEntries(edited) };
  });
}

function readRow(req: Request, columns: readonly string[], suffix: string): ProductChange {
  const text = (name: string) => postedText(req, `${name}${suffix}`);
  const seen = {
    version: Number(text('version')),
    seenStock: text('seen_stock'),
    confirmedStock: text('confirmed_stock'),
  };
  return { id: text('id'), ...seen, cells: readCells(req, columns, suffix) };
}
