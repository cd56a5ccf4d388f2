/** Reads the posted forms of products. Their fields are named as the columns of the CSV file. */
import type { Request } from 'express';
import { type Cells, TEXT_COLUMNS } from '../../catalog/product-cells.js';
import { fieldsOf, postedText, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { OWN_COLUMNS, type ProductChange } from './read-group.js';

/** Columns of which a group has one cell, besides its texts. */
const COMMON_COLUMNS = ['tax_rate', 'requires_shipping', 'featured', 'clave_prod_serv', 'clave_unidad'];
const CHECKBOXES = ['visible', 'featured'];

/** Ends the names of the fields of the variant to add. Its id may be a barcode, see src/web/middleware/refuse-card-data.ts. */
export const ADDED = '-new';

/** Ends the names of the fields of a row, from 0. Those of the main product are as in the form of a single product. */
export function suffixOf(row: number): string {
  return row === 0 ? '' : `-${row + 1}`;
}

/** The text columns of the locales that the shop offers. */
export function offeredTexts({ config }: RequestContext) {
  return TEXT_COLUMNS.filter(({ locale }) => config.locales.includes(locale));
}

function textColumns(context: RequestContext, isVariant: boolean): readonly string[] {
  const texts = offeredTexts(context).filter(({ name }) => (name === 'variant') === isVariant);
  return texts.map(({ column }) => column);
}

/** Returns the columns that only the main product's row has. */
export function commonColumns(context: RequestContext): readonly string[] {
  return [...COMMON_COLUMNS, ...textColumns(context, false)];
}

/** Returns the columns of each row. */
export function ownColumns(context: RequestContext): readonly string[] {
  return [...OWN_COLUMNS, ...textColumns(context, true)];
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
 * Returns the posted rows of a group, each with the id of its product. The main product may be another one since the page was
 * rendered. A user who changes the stock only has no other cells.
 */
export function readRows(
  req: Request,
  columns: { readonly common: readonly string[]; readonly own: readonly string[] },
): readonly ProductChange[] {
  const suffixes = Object.keys(fieldsOf(req)).flatMap((name) => /^id(-\d{1,2})$/.exec(name)?.[1] ?? []);
  const variants = suffixes.map((suffix) => readRow(req, columns.own, suffix));
  return [readRow(req, [...columns.common, ...columns.own], ''), ...variants];
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

/** Returns the cells of the variant to add, or `undefined` if its fields are empty. */
export function readAdded(req: Request, columns: readonly string[]): Cells | undefined {
  const cells = { ...readCells(req, columns, ADDED), id: postedText(req, `id${ADDED}`) };
  const { visible: _, stock = '', ...texts } = cells as Cells;
  // Beside a limited stock the field begins with 0, so that a variant is not unlimited by mistake.
  const isEmpty = ['', '0'].includes(stock.trim()) && Object.values(texts).every((text) => text.trim() === '');
  return isEmpty ? undefined : cells;
}
