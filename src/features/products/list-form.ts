/** The rows of views/products/products.ejs. A user edits the cells of `columns`, and reads the others. */
import type { StoredProduct } from '../../db/product-changes.js';
import { adminProductPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { CHANGED } from './change-list.js';
import { buildSeenRow, type RefusedForm } from './group-form.js';
import { cellText } from './product-history.js';
import { listSuffix } from './read-form.js';

export type ListColumn = 'price' | 'stock';

const COLUMNS: readonly ListColumn[] = ['price', 'stock'];

interface FormInput {
  readonly columns: readonly ListColumn[];
  readonly refused: RefusedForm | undefined;
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
    const { own, cells, ...seen } = buildSeenRow(context, stored, { suffix: listSuffix(product.id), refused });
    const { problems = [] } = refused?.rows.find(({ id }) => id === product.id) ?? {};
    const now = (column: ListColumn) => cellText(context, column, cells[column] ?? '');
    const errorOf = (column: ListColumn) => {
      if (problems.some((each) => each.column === column && each.code === CHANGED))
        return t('products.problems.changed', { now: now(column) });
      if (own[column].error || column !== columns[0]) return own[column].error;
      if (problems.some((each) => each.column === 'price_before')) return t('products.problems.reachesBefore');
      return problems.every(({ column: name }) => name === 'stock') ? undefined : t('products.problems.otherCell');
    };
    return {
      ...seen,
      label: context.text(product.name),
      href: adminProductPath(product),
      image: product.image,
      visible: product.visible,
      seenPrice: cells['price'],
      fields: columns.map((column) => ({ ...own[column], hint: undefined, error: errorOf(column) })),
      texts: COLUMNS.filter((column) => !columns.includes(column)).map((column) => ({
        label: own[column].label,
        value: now(column),
      })),
    };
  });
}
