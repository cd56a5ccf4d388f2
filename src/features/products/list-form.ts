/** The rows of src/features/products/views/products.ejs. A user edits the cells of `columns`, and reads the others. */
import { cellsOf } from '../../catalog/product-cells.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import { adminProductPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { CHANGED } from './change-rows.js';
import { cellText } from './product-history.js';
import { listSuffix } from './read-rows.js';
import { buildRow, type RefusedRows } from './rows.js';

export const LIST_COLUMNS = ['price', 'stock'] as const;

export type ListColumns = readonly (typeof LIST_COLUMNS)[number][];

interface FormInput {
  readonly columns: ListColumns;
  readonly refused: RefusedRows | undefined;
}

/** Builds the rows. Problems of cells that are not in the list are at the first field of the row. */
export function buildListRows(
  context: RequestContext,
  products: readonly StoredProduct[],
  { columns, refused }: FormInput,
) {
  const { t } = context;
  return products.map((stored) => {
    const { product } = stored;
    const cells = cellsOf(product);
    const row = buildRow(context, stored, { columns: LIST_COLUMNS, suffix: listSuffix(product.id), refused });
    const { problems = [] } = refused?.rows.find(({ id }) => id === product.id) ?? {};
    const now = (column: string) => cellText(context, column, cells[column] ?? '');
    const isEdited = ({ column }: { readonly column: string }) => columns.some((each) => each === column);
    const errorOf = ({ column, error }: { readonly column: string; readonly error: string | undefined }) => {
      if (problems.some((each) => each.column === column && each.code === CHANGED))
        return t('products.problems.changed', { now: now(column) });
      if (error || column !== columns[0]) return error;
      if (problems.some((each) => each.column === 'price_before')) return t('products.problems.reachesBefore');
      return problems.every(({ column: name }) => name === 'stock') ? undefined : t('products.problems.otherCell');
    };
    return {
      ...row,
      label: context.text(product.name),
      href: adminProductPath(product),
      image: product.image,
      seenPrice: cells['price'],
      fields: row.fields.filter(isEdited).map((field) => ({ ...field, hint: undefined, error: errorOf(field) })),
      texts: row.fields.filter((field) => !isEdited(field)).map(({ column, label }) => ({ label, value: now(column) })),
    };
  });
}
