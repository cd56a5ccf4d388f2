/** The rows of a form: one per product, with what it posts beside its fields. */
import { cellsOf } from '../../catalog/product-cells.js';
import type { StoredProduct } from '../../db/product-changes.js';
import type { RequestContext } from '../../web/request-context.js';
import type { ShownGroup } from '../../web/services.js';
import { confirmationOf } from './product-change.js';
import { suffixOf } from './read-rows.js';
import { errorsIn, type ProductForm, type RowColumn, rowFields, withoutHints } from './row-fields.js';

/** A product of the form as typed. With an empty id it is the variant to add. */
interface RefusedRow extends ProductForm {
  readonly id: string;
  readonly version: number;
}

/** A form that was not saved. */
export interface RefusedForm {
  readonly rows: readonly RefusedRow[];
  readonly result: string;
}

interface RowInput {
  readonly columns: readonly RowColumn[];
  readonly suffix: string;
  readonly refused: RefusedForm | undefined;
}

/** Returns a product as typed. Cells that were not typed are as they are now. */
export function formOf({ product }: StoredProduct, refused: RefusedForm | undefined): ProductForm {
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
