/** The fields of a product in the back office. Their names are the columns of the CSV file. */
import type { Request } from 'express';
import { fieldErrorList } from '../../admin/order-record.js';
import { type CellProblem, type Cells, TEXT_COLUMNS, TEXT_LIMITS } from '../../catalog/product-cells.js';
import { findCategories } from '../../db/products.js';
import { hasForeignSeparators } from '../../payments/rules/index.js';
import type { Category } from '../../shop/rules/product.js';
import { TAX_RATES } from '../../shop/rules/product.js';
import { fieldsOf, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { cellText, languageName } from './product-history.js';
import { findMainIds } from './repository.js';

const SHORT_LIMIT = '20';
const ID_LIMIT = '64';
const MAX_SUGGESTED_IDS = 500;

/** The form as typed. */
export interface ProductForm {
  readonly cells: Cells;
  readonly problems: readonly CellProblem[];
  /** Present: the typed stock is unusual beside this one, and the admin user must confirm it. */
  readonly stockBefore?: number | null;
}

/** The text columns of the locales that the shop offers. */
function offeredTexts({ config }: RequestContext) {
  return TEXT_COLUMNS.filter(({ locale }) => config.locales.includes(locale));
}

/** Returns the posted cells. A column that the form does not have is absent, so that it does not change. */
export function readCells(req: Request, context: RequestContext): Cells {
  const columns = ['price', 'price_before', 'stock', 'tax_rate', 'requires_shipping'];
  const more = ['clave_prod_serv', 'clave_unidad', 'variant_of'];
  const names = [...columns, ...more, ...offeredTexts(context).map(({ column }) => column)];
  const posted = Object.entries(fieldsOf(req)).filter(([name]) => names.includes(name));
  const checkbox = (name: string) => (readText(fieldsOf(req)[name]) === 'yes' ? 'yes' : 'no');
  const cells = posted.map(([name, value]) => [name, name.startsWith('price') ? readPesos(value) : readText(value)]);
  return { ...Object.fromEntries(cells), visible: checkbox('visible'), featured: checkbox('featured') };
}

function readPesos(value: unknown): string {
  return readText(value)
    .trim()
    .replace(/^\$\s*/, '');
}

/** What the form suggests. */
interface FormSuggestions {
  readonly categories: readonly Category[];
  /** Ids of products that may have variants. */
  readonly mainIds: readonly string[];
}

export async function findFormSuggestions({ checkout }: RequestContext): Promise<FormSuggestions> {
  const { queries } = checkout.db;
  return { categories: await findCategories(queries), mainIds: await findMainIds(queries, MAX_SUGGESTED_IDS) };
}

/** Builds the groups of fields of views/products/fields.ejs, and the list of their errors. */
export function productFields(context: RequestContext, form: ProductForm, { categories, mainIds }: FormSuggestions) {
  const { t } = context;
  const { cells, problems, stockBefore } = form;
  const field = (name: string, label: string, message: string) => ({
    name,
    label,
    value: cells[name] ?? '',
    error: problems.some(({ column }) => column === name) ? message : undefined,
    kind: 'text',
    limit: SHORT_LIMIT,
  });
  const id = {
    ...field('id', t('products.id'), t('products.problems.id')),
    hint: t('products.idHint'),
    limit: ID_LIMIT,
  };
  const pesosField = (name: 'price' | 'price_before', hint: 'priceHint' | 'priceBeforeHint') => {
    const problem = hasForeignSeparators(cells[name] ?? '')
      ? 'form.separators'
      : (`products.problems.${name}` as const);
    const named = field(name, t(`products.columns.${name}`), t(problem));
    return { ...named, hint: t(`products.${hint}`), inputMode: 'decimal' };
  };
  const [price, priceBefore] = [pesosField('price', 'priceHint'), pesosField('price_before', 'priceBeforeHint')];
  const stockProblem = stockBefore === undefined ? 'stock' : 'stockUnusual';
  const stock = {
    ...field('stock', t('products.stock'), t(`products.problems.${stockProblem}`, { before: stockBefore ?? '' })),
    hint: t('products.stockHint'),
    inputMode: 'numeric',
  };
  const texts = textGroups(context, form, categories);
  const [taxRate, requiresShipping, ...more] = detailFields(context, form, mainIds);
  const details = [taxRate, requiresShipping];
  const all = [...texts.flatMap(({ fields }) => fields), price, priceBefore, stock, ...details, ...more, id];
  const errors = fieldErrorList(Object.fromEntries(all.map(({ name, error }) => [name, error])));
  const [visible, featured] = [cells['visible'] === 'yes', cells['featured'] === 'yes'];
  return { id, price, priceBefore, stock, texts, details, more, visible, featured, errors };
}

/** One group per offered locale. With one locale it needs no name. */
function textGroups(context: RequestContext, { cells, problems }: ProductForm, categories: readonly Category[]) {
  const { t, config } = context;
  const errorOf = (name: (typeof TEXT_COLUMNS)[number]['name'], column: string) => {
    if (!problems.some((problem) => problem.column === column)) return undefined;
    const problem = (cells[column] ?? '').trim() === '' ? 'missing' : name;
    const label = t(`products.texts.${name}`);
    return t(`products.problems.${problem}`, { label, limit: TEXT_LIMITS[name] });
  };
  return config.locales.map((lang) => ({
    label: config.locales.length > 1 ? languageName(context, lang) : undefined,
    fields: offeredTexts(context)
      .filter(({ locale }) => locale === lang)
      .map(({ name, column }) => {
        const limit = TEXT_LIMITS[name];
        return {
          name: column,
          label: t(`products.texts.${name}`),
          value: cells[column] ?? '',
          error: errorOf(name, column),
          hint: name === 'category' || name === 'variant' ? t(`products.${name}Hint`) : undefined,
          kind: name === 'description' ? 'textarea' : 'text',
          limit: String(limit),
          lang,
          suggestions: name === 'category' ? categories.flatMap((each) => each.name[lang] ?? []) : [],
        };
      }),
  }));
}

function detailFields(context: RequestContext, { cells, problems }: ProductForm, mainIds: readonly string[]) {
  const { t } = context;
  const field = (name: 'tax_rate' | 'requires_shipping' | 'clave_prod_serv' | 'clave_unidad' | 'variant_of') => ({
    name,
    label: t(`products.columns.${name}`),
    value: cells[name] ?? '',
    error: problems.some(({ column }) => column === name) ? t(`products.problems.${name}`) : undefined,
    limit: SHORT_LIMIT,
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
    {
      ...{ ...field('variant_of'), kind: 'text', limit: ID_LIMIT },
      hint: t('products.variantOfHint'),
      suggestions: mainIds,
    },
  ] as const;
}
