/** The fields of a product in the back office, as views/products/fields.ejs shows them. */
import { fieldErrorList } from '../../admin/order-record.js';
import type { CellProblem } from '../../catalog/file-problems.js';
import { type Cells, type TEXT_COLUMNS, TEXT_LIMITS } from '../../catalog/product-cells.js';
import { hasForeignSeparators } from '../../payments/rules/index.js';
import type { Category } from '../../shop/rules/product.js';
import { TAX_RATES } from '../../shop/rules/product.js';
import type { RequestContext } from '../../web/request-context.js';
import { cellText, languageName } from './product-history.js';
import { offeredTexts } from './read-form.js';
import { findMainIds } from './repository.js';

const MAX_SUGGESTED_IDS = 500;

/** The form as typed. */
export interface ProductForm {
  readonly cells: Cells;
  readonly problems: readonly CellProblem[];
  /** Present: the typed stock is unusual beside this one, and the admin user must confirm it. */
  readonly stockBefore?: number | null;
}

/** Builds the fields that the products of a group have in common. */
export function commonFields(context: RequestContext, form: ProductForm, categories: readonly Category[]) {
  const [taxRate, requiresShipping, ...more] = detailFields(context, form);
  return {
    texts: textGroups(context, form, categories),
    details: [taxRate, requiresShipping],
    more,
    featured: form.cells['featured'] === 'yes',
  };
}

/** Builds the field that makes a product a variant of another, with the ids of products that may have variants. */
export async function findVariantOfField(context: RequestContext, form: ProductForm, suffix: string) {
  const { t, checkout } = context;
  const { variant_of: value = '' } = form.cells;
  const error = form.problems.some(({ column }) => column === 'variant_of')
    ? t('products.problems.variant_of')
    : undefined;
  return {
    ...{ name: `variant_of${suffix}`, label: t('products.columns.variant_of'), error, kind: 'text' },
    value,
    hint: t('products.variantOfHint'),
    suggestions: await findMainIds(checkout.db.queries, MAX_SUGGESTED_IDS),
  };
}

/** Builds the field of the id of a new product, or of the variant to add. */
export function idField({ t }: RequestContext, { cells, problems }: ProductForm, suffix = '') {
  const error = problems.some(({ column }) => column === 'id') ? t('products.problems.id') : undefined;
  const { id: value = '' } = cells;
  const named = { name: `id${suffix}`, label: t('products.id'), value, error };
  return { ...named, kind: 'text', hint: t(suffix ? 'products.addedIdHint' : 'products.idHint') };
}

/** Builds the fields that each product of a group has for itself. `suffix` ends their names. */
export function ownFields(context: RequestContext, { cells, problems, stockBefore }: ProductForm, suffix = '') {
  const { t } = context;
  const field = (name: string, label: string, message: string) => ({
    name: `${name}${suffix}`,
    label,
    value: cells[name] ?? '',
    error: problems.some(({ column }) => column === name) ? message : undefined,
    kind: 'text',
  });
  const pesosField = (name: 'price' | 'price_before', hint: 'priceHint' | 'priceBeforeHint') => {
    const problem = hasForeignSeparators(cells[name] ?? '')
      ? 'form.separators'
      : (`products.problems.${name}` as const);
    const named = field(name, t(`products.columns.${name}`), t(problem));
    return { ...named, hint: t(`products.${hint}`), inputMode: 'decimal' };
  };
  const stockProblem = stockBefore === undefined ? 'stock' : 'stockUnusual';
  const stock = field(
    'stock',
    t('products.stock'),
    t(`products.problems.${stockProblem}`, { before: stockBefore ?? '' }),
  );
  const weight = field('weight_g', t('products.columns.weight_g'), t('products.problems.weight_g'));
  return {
    variant: variantFields(context, { cells, problems }, suffix),
    price: pesosField('price', 'priceHint'),
    priceBefore: pesosField('price_before', 'priceBeforeHint'),
    weight: isWeighed(cells) ? [{ ...weight, hint: t('products.weightHint'), inputMode: 'numeric' }] : [],
    stock: { ...stock, hint: t('products.stockHint'), inputMode: 'numeric' },
    visible: cells['visible'] === 'yes',
  };
}

/** A product that is not shipped has no weight field, unless it has a weight: the choice may be reverted. */
function isWeighed({ requires_shipping: isShipped, weight_g: weight = '' }: Cells): boolean {
  return isShipped !== 'no' || weight !== '';
}

/** Returns the errors of these fields, for the list above the form. */
export function errorsIn(fields: readonly { readonly name: string; readonly error: string | undefined }[]) {
  return fieldErrorList(Object.fromEntries(fields.map(({ name, error }) => [name, error])));
}

type TextColumn = (typeof TEXT_COLUMNS)[number];

function textField(context: RequestContext, { cells, problems }: ProductForm, { name, column, locale }: TextColumn) {
  const { t } = context;
  const value = cells[column] ?? '';
  const label = t(`products.texts.${name}`);
  const problem = value.trim() === '' ? 'missing' : name;
  const message = t(`products.problems.${problem}`, { label, limit: TEXT_LIMITS[name] });
  const error = problems.some((each) => each.column === column) ? message : undefined;
  return { name: column, label, value, error, kind: name === 'description' ? 'textarea' : 'text', lang: locale };
}

/** With one locale the field needs no language. */
function variantFields(context: RequestContext, form: ProductForm, suffix: string) {
  const columns = offeredTexts(context).filter(({ name }) => name === 'variant');
  return columns.map((each) => {
    const field = textField(context, form, each);
    const label = columns.length > 1 ? `${field.label} (${languageName(context, each.locale)})` : field.label;
    return { ...field, label, name: `${each.column}${suffix}` };
  });
}

/** One group per offered locale. With one locale it needs no name. */
function textGroups(context: RequestContext, form: ProductForm, categories: readonly Category[]) {
  const { t, config } = context;
  return config.locales.map((lang) => ({
    label: config.locales.length > 1 ? languageName(context, lang) : undefined,
    fields: offeredTexts(context)
      .filter(({ locale, name }) => locale === lang && name !== 'variant')
      .map((each) => ({
        ...textField(context, form, each),
        hint: each.name === 'category' ? t('products.categoryHint') : undefined,
        suggestions: each.name === 'category' ? categories.flatMap(({ name }) => name[lang] ?? []) : [],
      })),
  }));
}

function detailFields(context: RequestContext, { cells, problems }: ProductForm) {
  const { t } = context;
  const field = (name: 'tax_rate' | 'requires_shipping' | 'clave_prod_serv' | 'clave_unidad') => ({
    name,
    label: t(`products.columns.${name}`),
    value: cells[name] ?? '',
    error: problems.some(({ column }) => column === name) ? t(`products.problems.${name}`) : undefined,
  });
  const choice = (name: 'tax_rate' | 'requires_shipping', values: readonly string[]) => ({
    ...field(name),
    kind: 'select',
    options: values.map((value) => ({
      value,
      label: cellText(context, name, value),
      selected: value === cells[name],
    })),
  });
  return [
    choice('tax_rate', TAX_RATES),
    choice('requires_shipping', ['yes', 'no']),
    { ...field('clave_prod_serv'), kind: 'text', inputMode: 'numeric', hint: t('products.claveHint') },
    { ...field('clave_unidad'), kind: 'text', hint: t('products.unitHint') },
  ] as const;
}
