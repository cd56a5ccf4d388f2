/** The form of views/products/product.ejs: one row per product of a group, one to add a variant, and the common fields. */
import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { cellsOf } from '../../catalog/product-cells.js';
import type { StoredProduct } from '../../db/product-changes.js';
import { findCategories } from '../../db/products.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { commonFields, errorsIn, findVariantOfField, idField, ownFields, type ProductForm } from './product-form.js';
import { ADDED, suffixOf } from './read-form.js';
import { confirmationOf, type Group } from './read-group.js';

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

interface FormInput {
  readonly shown: Group;
  readonly isGroup: boolean;
  /** Place of the product of the address in `shown`. */
  readonly place: number;
  readonly refused: RefusedForm | undefined;
}

/** Builds the model of the form. In a group, the hints of the rows are above them. */
export async function buildGroupForm(res: Response, { shown, isGroup, place, refused }: FormInput) {
  const context = contextOf(res);
  const { queries } = context.checkout.db;
  const mayEdit = adminOf(res).can(`POST ${productsPaths.product}`);
  const rows = shown.map((stored, row) => buildRow(context, stored, { row, refused, isGroup, mayEdit }));
  const rowErrors = rows.flatMap((row) => errorsOfRow(row, isGroup));
  if (!mayEdit) return { rows, errors: rowErrors };
  const [main] = shown;
  // A variant may have a problem with a cell that its group has in common.
  const problems = refused?.rows.flatMap((row) => row.problems) ?? [];
  const common = commonFields(context, { ...formOf(main, refused), problems }, await findCategories(queries));
  const variantOf = await findVariantOfField(context, formOf(shown[place] ?? main, refused), suffixOf(place));
  const hasVariants = isGroup && place === 0 && !variantOf.error;
  const label = isGroup ? `${variantOf.label} (${rows[place]?.label})` : variantOf.label;
  const more = hasVariants ? common.more : [...common.more, { ...variantOf, label }];
  const first = isGroup ? [] : ownFields(context, formOf(main, refused)).variant;
  const added = buildAdded(context, main, refused);
  const fields = [...first, ...common.texts.flatMap((group) => group.fields), ...common.details, ...more];
  const errors = [...rowErrors, ...errorsOfRow(added, true), ...errorsIn(fields)];
  return { ...common, rows, first, added, more, errors };
}

/** Returns a product as typed. Cells that were not typed are as they are now. */
function formOf({ product }: StoredProduct, refused: RefusedForm | undefined): ProductForm {
  const typed = refused?.rows.find(({ id }) => id === product.id);
  return { problems: [], ...typed, cells: { ...cellsOf(product), ...typed?.cells } };
}

interface RowInput extends Pick<FormInput, 'isGroup' | 'refused'> {
  readonly row: number;
  readonly mayEdit: boolean;
}

function buildRow(context: RequestContext, stored: StoredProduct, { row, refused, isGroup, mayEdit }: RowInput) {
  const { own, cells: _, ...seen } = buildSeenRow(context, stored, { suffix: suffixOf(row), refused });
  const { variant, price, priceBefore, weight, stock, visible } = own;
  const fields = mayEdit ? [...(isGroup ? variant : []), price, priceBefore, stock, ...weight] : [stock];
  const { variant: named, name } = stored.product;
  return {
    ...seen,
    label: context.text(named?.label ?? name),
    visible,
    fields: isGroup ? fields.map((field) => ({ ...field, hint: undefined })) : fields,
  };
}

/** Builds the fields of a product, its stored cells, and what its row posts beside the fields. */
export function buildSeenRow(
  context: RequestContext,
  stored: StoredProduct,
  { suffix, refused }: Pick<FormInput, 'refused'> & { readonly suffix: string },
) {
  const { product, version } = stored;
  const cells = cellsOf(product);
  const form = formOf(stored, refused);
  const own = ownFields(context, form, suffix);
  const seenVersion = refused?.rows.find(({ id }) => id === product.id)?.version ?? version;
  return {
    id: product.id,
    suffix,
    version: String(seenVersion),
    seenStock: cells['stock'],
    confirmedStock: form.stockBefore === undefined ? undefined : confirmationOf(own.stock.value),
    cells,
    own,
  };
}

/** The row of the variant to add. Beside a limited stock it has none, so that it is not unlimited by mistake. */
function buildAdded(context: RequestContext, { product }: StoredProduct, refused: RefusedForm | undefined) {
  const empty = { stock: product.stock === null ? '' : '0', visible: product.visible ? 'yes' : 'no' };
  const typed = refused?.rows.find(({ id }) => id === '') ?? { cells: empty, problems: [] };
  const form = { ...typed, cells: { requires_shipping: product.requiresShipping ? 'yes' : 'no', ...typed.cells } };
  const { variant, price, priceBefore, weight, stock, visible } = ownFields(context, form, ADDED);
  const fields = [...variant, price, priceBefore, stock, ...weight].map((field) => ({ ...field, hint: undefined }));
  const label = context.t('products.addVariant');
  return { label, suffix: ADDED, visible, fields: [...fields, idField(context, form, ADDED)] };
}

type Fields = Parameters<typeof errorsIn>[0];

/** Returns the errors of a row. In a group they name it. */
export function errorsOfRow({ label, fields }: { readonly label: string; readonly fields: Fields }, isNamed: boolean) {
  const errors = errorsIn(fields);
  return isNamed ? errors.map((error) => ({ ...error, message: `${label}: ${error.message}` })) : errors;
}
