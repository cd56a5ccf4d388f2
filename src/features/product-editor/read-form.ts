/** Reads the posted form of a product with all its members. Its fields are named as the columns of the CSV file. */
import type { Request } from 'express';
import { type Cells, TEXT_COLUMNS } from '../../catalog/product-cells.js';
import { postedText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { readCells } from '../products/read-rows.js';
import { OWN_COLUMNS } from './read-group.js';

/** Columns of which a group has one cell, besides its texts. */
const COMMON_COLUMNS = [
  'tax_rate',
  'requires_shipping',
  'featured',
  'clave_prod_serv',
  'clave_unidad',
  'variant_attribute',
];

/** Ends the names of the fields of the variant to add. Its id may be a barcode, see src/web/middleware/refuse-card-data.ts. */
export const ADDED = '-new';

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

/** Returns the cells of the variant to add, or `undefined` if its fields are empty. */
export function readAdded(req: Request, columns: readonly string[]): Cells | undefined {
  const cells = { ...readCells(req, columns, ADDED), id: postedText(req, `id${ADDED}`) };
  const { visible: _visible, stock = '', ...texts } = cells as Cells;
  // Beside a limited stock the field begins with 0, so that a variant is not unlimited by mistake.
  const isEmpty = ['', '0'].includes(stock.trim()) && Object.values(texts).every((text) => text.trim() === '');
  return isEmpty ? undefined : cells;
}
