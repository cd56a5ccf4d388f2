/** The form of all members of a product: one row per product of its group, one to add a variant, and the common fields. */
import type { Response } from 'express';
import type { Product } from '../../shop/rules/product.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import { findCategories } from '../../tables/products.js';
import { adminProductPath } from '../../web/paths.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import type { ProductEditorForm, ShownGroup } from '../../web/services.js';
import { findAnswer } from '../../web/typed-form.js';
import { suffixOf } from '../products/read-rows.js';
import {
  buildRows,
  errorsIn,
  errorsOfRow,
  formOf,
  type ProductForm,
  type RefusedRows,
  ROW_COLUMNS,
  rowFields,
  withoutHints,
} from '../products/rows.js';
import { productEditorPaths } from './paths.js';
import { commonFields, findVariantOfField, idField, variantFields } from './product-form.js';
import { ADDED } from './read-form.js';

/** Builds the form of the page of a product. */
export async function buildGroupForm(res: Response, group: ShownGroup): Promise<ProductEditorForm> {
  const context = contextOf(res);
  const { shown, isGroup, place } = group;
  const [main] = shown;
  const { product } = shown[place] ?? main;
  const refused = await findAnswer<RefusedRows>(res, adminProductPath(product));
  const variantOfRow = (row: number) => variantFields(context, formOf(shown[row] ?? main, refused), suffixOf(row));
  const rows = buildRows(context, group, { columns: ROW_COLUMNS, refused }).map((row, index) => ({
    ...row,
    fields: [...(isGroup ? variantOfRow(index) : []), ...row.fields],
  }));
  // A variant may have a problem with a cell that its group has in common.
  const problems = refused?.rows.flatMap((row) => row.problems) ?? [];
  const { queries } = context.checkout.db;
  const common = commonFields(context, { ...formOf(main, refused), problems }, await findCategories(queries));
  const variantOf = await findVariantOfField(context, formOf(shown[place] ?? main, refused), suffixOf(place));
  const hasVariants = isGroup && place === 0 && !variantOf.error;
  const label = isGroup ? `${variantOf.label} (${rows[place]?.label})` : variantOf.label;
  const own = hasVariants ? common.more : [...common.more, { ...variantOf, label }];
  const more = isGroup ? [common.attribute, ...own] : own;
  const first = isGroup ? [] : [...variantFields(context, formOf(main, refused)), common.attribute];
  const added = buildAdded(context, main, refused);
  const fields = [...first, ...common.texts.flatMap((texts) => texts.fields), ...common.details, ...more];
  const rowErrors = rows.flatMap((row) => errorsOfRow(row, isGroup));
  return {
    rows,
    errors: [...rowErrors, ...errorsOfRow(added, true), ...errorsIn(fields)],
    section: { view: '/product-editor/views/group', model: { ...common, isGroup, first, added, more } },
    actions: { view: '/product-editor/views/actions', model: buildActions(context, product) },
  };
}

function buildActions({ text }: RequestContext, product: Product) {
  const { newProduct } = productEditorPaths;
  return { newProduct, id: product.id, href: adminProductPath(product), name: text(product.name) };
}

/** The row of the variant to add. Beside a limited stock it has none, so that it is not unlimited by mistake. */
function buildAdded(context: RequestContext, { product }: StoredProduct, refused: RefusedRows | undefined) {
  const empty = { stock: product.stock === null ? '' : '0', visible: product.visible ? 'yes' : 'no' };
  const typed = refused?.rows.find(({ id }) => id === '') ?? { cells: empty, problems: [] };
  const form: ProductForm = {
    ...typed,
    cells: { requires_shipping: product.requiresShipping ? 'yes' : 'no', ...typed.cells },
  };
  const fields = [...variantFields(context, form, ADDED), ...rowFields(context, form, ROW_COLUMNS, ADDED)];
  return {
    label: context.t('productEditor.addVariant'),
    suffix: ADDED,
    visible: form.cells['visible'] === 'yes',
    fields: [...withoutHints(fields), idField(context, form, ADDED)],
  };
}
