/** The fields of a product's row in the back office, as views/products/fields.ejs shows them. */
import { fieldErrorList } from '../../admin/order-record.js';
import type { CellProblem } from '../../catalog/file-problems.js';
import type { Cells } from '../../catalog/product-cells.js';
import { hasForeignSeparators } from '../../payments/rules/index.js';
import type { RequestContext } from '../../web/request-context.js';
import { CHANGED } from './change-rows.js';

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

/** Builds the fields of these columns. `suffix` ends their names. */
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
  }));
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
  return fieldErrorList(Object.fromEntries(fields.map(({ name, error }) => [name, error])));
}
