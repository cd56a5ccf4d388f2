/** The fields that a product has besides its row, as views/partials/field.ejs shows them. */
import { type TEXT_COLUMNS, TEXT_LIMITS } from '../../catalog/product-cells.js';
import type { Category } from '../../shop/rules/product.js';
import { TAX_RATES, VARIANT_ATTRIBUTES } from '../../shop/rules/product.js';
import type { RequestContext } from '../../web/request-context.js';
import { cellText, languageName } from '../products/product-history.js';
import type { ProductForm } from '../products/rows.js';
import { offeredTexts } from './read-form.js';
import { findMainIds } from './repository.js';

const MAX_SUGGESTED_IDS = 500;

/** Builds the fields that the products of a group have in common. */
export function commonFields(context: RequestContext, form: ProductForm, categories: readonly Category[]) {
  const [taxRate, requiresShipping, attribute, ...more] = detailFields(context, form);
  return {
    texts: textGroups(context, form, categories),
    details: [taxRate, requiresShipping],
    more,
    /** Only of variants. */
    attribute,
    featured: form.cells['featured'] === 'yes',
  };
}

/** Builds the field that makes a product a variant of another, with the ids of products that may have variants. */
export async function findVariantOfField(context: RequestContext, form: ProductForm, suffix: string) {
  const { t, checkout } = context;
  const { variant_of: value = '' } = form.cells;
  const error = form.problems.some(({ column }) => column === 'variant_of')
    ? t('productEditor.problems.variant_of')
    : undefined;
  return {
    name: `variant_of${suffix}`,
    label: t('products.columns.variant_of'),
    error,
    kind: 'text',
    value,
    hint: t('productEditor.variantOfHint'),
    suggestions: await findMainIds(checkout.db.queries, MAX_SUGGESTED_IDS),
  };
}

/** Builds the field of the id of a new product, or of the variant to add. */
export function idField({ t }: RequestContext, { cells, problems }: ProductForm, suffix = '') {
  const error = problems.some(({ column }) => column === 'id') ? t('productEditor.problems.id') : undefined;
  const { id: value = '' } = cells;
  const named = { name: `id${suffix}`, label: t('products.id'), value, error };
  return { ...named, kind: 'text', hint: t(suffix ? 'productEditor.addedIdHint' : 'productEditor.idHint') };
}

type TextColumn = (typeof TEXT_COLUMNS)[number];

function textField(context: RequestContext, { cells, problems }: ProductForm, { name, column, locale }: TextColumn) {
  const { t } = context;
  const value = cells[column] ?? '';
  const label = t(`products.texts.${name}`);
  const problem = value.trim() === '' ? 'missing' : name;
  const message = t(`productEditor.problems.${problem}`, { label, limit: TEXT_LIMITS[name] });
  const error = problems.some((each) => each.column === column) ? message : undefined;
  return {
    name: column,
    label,
    value,
    error,
    kind: name === 'description' ? 'multiline' : 'text',
    rows: 5,
    lang: locale,
  };
}

/** Builds the fields that distinguish a variant. With one locale the field needs no language. */
export function variantFields(context: RequestContext, form: ProductForm, suffix = '') {
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
        hint: each.name === 'category' ? t('productEditor.categoryHint') : undefined,
        suggestions: each.name === 'category' ? categories.flatMap(({ name }) => name[lang] ?? []) : [],
      })),
  }));
}

type Choice = 'tax_rate' | 'requires_shipping' | 'variant_attribute';

function detailFields(context: RequestContext, { cells, problems }: ProductForm) {
  const { t } = context;
  const field = (name: Choice | 'clave_prod_serv' | 'clave_unidad') => ({
    name,
    label: t(`products.columns.${name}`),
    value: cells[name] ?? '',
    error: problems.some(({ column }) => column === name) ? t(`productEditor.problems.${name}`) : undefined,
  });
  const choice = (name: Choice, values: readonly string[]) => ({
    ...field(name),
    kind: 'list',
    options: values.map((value) => ({ value, label: cellText(context, name, value) })),
  });
  return [
    choice('tax_rate', TAX_RATES),
    choice('requires_shipping', ['yes', 'no']),
    { ...choice('variant_attribute', ['', ...VARIANT_ATTRIBUTES]), hint: t('productEditor.attributeHint') },
    { ...field('clave_prod_serv'), kind: 'text', inputMode: 'numeric', hint: t('productEditor.claveHint') },
    { ...field('clave_unidad'), kind: 'text', hint: t('productEditor.unitHint') },
  ] as const;
}
