/** The rows of a form in the back office: one per product, with its fields and what it posts beside them. */

import { hasForeignSeparators } from '@tianguis/payments/rules';
import type { CellProblem } from '../../catalog/file-problems.js';
import { type Cells, cellsOf } from '../../catalog/product-cells.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import type { FieldModel } from '../../web/field-model.js';
import { errorList } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import type { ShownGroup } from '../../web/services.js';
import { CHANGED, confirmationOf } from './change-rows.js';
import { suffixOf } from './read-rows.js';

/** Columns that each product of a group has for itself. */
export const ROW_COLUMNS = ['price', 'price_before', 'stock', 'weight_g'] as const;

export type RowColumn = (typeof ROW_COLUMNS)[number];

/** The form as typed. */
export interface ProductForm {
  readonly cells: Cells;
  readonly problems: readonly CellProblem[];
  /** Present: the typed stock is unusual beside this one, and the admin user must confirm it. */
  readonly stockBefore?: number | null;
}

/** Builds the fields of these columns, as views/partials/field.ejs shows them. `suffix` ends their names. */
export function rowFields(
  context: RequestContext,
  form: ProductForm,
  columns: readonly RowColumn[] = ROW_COLUMNS,
  suffix = '',
) {
  const { t } = context;
  const { cells, problems } = form;
  const shown = columns.filter((column) => column !== 'weight_g' || isWeighed(cells));
  return shown.map((column) => ({
    column,
    name: `${column}${suffix}`,
    label: t(`products.columns.${column}`),
    hint: t(`products.hints.${column}`),
    value: cells[column] ?? '',
    error: problems.some((each) => each.column === column && each.code !== CHANGED)
      ? problemText(context, form, column)
      : undefined,
    kind: 'text',
    inputMode: column.startsWith('price') ? 'decimal' : 'numeric',
  })) satisfies readonly FieldModel[];
}

function problemText({ t }: RequestContext, { cells, stockBefore }: ProductForm, column: RowColumn): string {
  if (column === 'stock' && stockBefore !== undefined)
    return t('products.problems.stockUnusual', { before: stockBefore ?? '' });
  if (column.startsWith('price') && hasForeignSeparators(cells[column] ?? '')) return t('form.separators');
  return t(`products.problems.${column}`);
}

/** A product that is not shipped has no weight field, unless it has a weight: the choice may be reverted. */
function isWeighed({ requires_shipping: isShipped, weight_g: weight = '' }: Cells): boolean {
  return isShipped !== 'no' || weight !== '';
}

/** Returns fields as rows that stand below each other show them: the hints are above the rows. */
export function withoutHints<Field>(fields: readonly Field[]) {
  return fields.map((field) => ({ ...field, hint: undefined }));
}

/** Returns the errors of these fields, for the list above the form. */
export function errorsIn(fields: readonly { readonly name: string; readonly error: string | undefined }[]) {
  return errorList(Object.fromEntries(fields.map(({ name, error }) => [name, error])));
}

/** A product of the form as typed. With an empty id it is the variant to add. */
interface RefusedRow extends ProductForm {
  readonly id: string;
  readonly version: number;
}

/** A form that was not saved. */
export interface RefusedRows {
  readonly rows: readonly RefusedRow[];
  readonly result: string;
}

interface RowInput {
  readonly columns: readonly RowColumn[];
  readonly suffix: string;
  readonly refused: RefusedRows | undefined;
}

/** Returns a product as typed. Cells that were not typed are as they are now. */
export function formOf({ product }: StoredProduct, refused: RefusedRows | undefined): ProductForm {
  const typed = refused?.rows.find(({ id }) => id === product.id);
  return { problems: [], ...typed, cells: { ...cellsOf(product), ...typed?.cells } };
}

export function buildRow(context: RequestContext, stored: StoredProduct, { columns, suffix, refused }: RowInput) {
  const { product, version } = stored;
  const form = formOf(stored, refused);
  const seenVersion = refused?.rows.find(({ id }) => id === product.id)?.version ?? version;
  return {
    id: product.id,
    suffix,
    version: String(seenVersion),
    seenStock: cellsOf(product)['stock'],
    confirmedStock: form.stockBefore === undefined ? undefined : confirmationOf(form.cells['stock']),
    visible: form.cells['visible'] === 'yes',
    fields: rowFields(context, form, columns, suffix),
  };
}

/** Builds the rows of the page of a product. In a group, the hints are above them. */
export function buildRows(
  context: RequestContext,
  { shown, isGroup }: ShownGroup,
  { columns, refused }: Omit<RowInput, 'suffix'>,
) {
  return shown.map((stored, place) => {
    const { fields, ...row } = buildRow(context, stored, { columns, suffix: suffixOf(place), refused });
    const { variant, name } = stored.product;
    return { ...row, label: context.text(variant?.label ?? name), fields: isGroup ? withoutHints(fields) : fields };
  });
}

type Fields = Parameters<typeof errorsIn>[0];

/** Returns the errors of a row. In a group they name it. */
export function errorsOfRow({ label, fields }: { readonly label: string; readonly fields: Fields }, isNamed: boolean) {
  const errors = errorsIn(fields);
  return isNamed ? errors.map((error) => ({ ...error, message: `${label}: ${error.message}` })) : errors;
}
