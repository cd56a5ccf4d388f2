/** The cells of a product: one text per column of the CSV file, and the fields of the back office. */

import { centavos, fromPesosText, hasForeignSeparators, toPesosText } from '@tianguis/payments/rules';
import { z } from 'zod';
import { isFee } from '../shop/rules/fees.js';
import type { Locale, Texts } from '../shop/rules/locale.js';
import { LOCALES } from '../shop/rules/locales.js';
import { type Product, slugOf, TAX_RATES, VARIANT_ATTRIBUTES, variantName } from '../shop/rules/product.js';
import type { ProductEvent } from '../tables/product-changes.js';
import type { CellProblem, ProblemCode } from './file-problems.js';

/** Texts by column name. */
export type Cells = Readonly<Record<string, string>>;

/** What the validity of a product depends on. */
export interface ProductRules {
  /** Name, category and image text are required in this locale. */
  readonly locale: Locale;
  /** Returns whether the picture exists below `public/`, or was uploaded. */
  readonly hasPicture: (path: string) => boolean;
}

export const SLUG_LIMIT = 100;
const MAX_STOCK = 1_000_000;
const MAX_WEIGHT = 1_000_000;
export const TEXT_LIMITS = { name: 120, description: 4_000, image_alt: 250, category: 60, variant: 60 } as const;
const TEXT_NAMES = ['name', 'description', 'image_alt', 'category', 'variant'] as const;
type TextName = (typeof TEXT_NAMES)[number];

const YES = ['yes', 'true', '1', 'sí', 'si'];
const NO = ['no', 'false', '0'];

/** Returns what a rule says about a cell that it refuses. */
function because(error: ProblemCode, params?: CellProblem['values']) {
  return { error, params };
}

/** A cell whose pattern allows no formula. */
const plain = z.string().trim();

/** Returns the rule of a cell that is yes or no. `empty` is what an empty cell means. */
function yesOrNo(empty: boolean) {
  return plain
    .toLowerCase()
    .refine((value) => value === '' || YES.includes(value) || NO.includes(value), because('yes_or_no'))
    .transform((value) => (value === '' ? empty : YES.includes(value)));
}

/** An amount in pesos. */
const pesos = plain
  .refine((value) => !hasForeignSeparators(value), because('separators'))
  .regex(/^(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.\d{1,2})?$/, because('pesos'))
  .transform((value) => fromPesosText(value.replaceAll(',', '')) ?? centavos(0))
  .refine((value) => value > 0, because('not_positive'));

const ID = /^\w[\w-]{0,63}$/;
const WRONG_ID = because('id');

/** The columns without texts. */
const OWN_CELLS = {
  id: plain.regex(ID, WRONG_ID).refine((value) => !isFee(value), because('reserved_id')),
  slug: plain
    .regex(/^(?:[a-z\d]+(?:-[a-z\d]+)*)?$/, because('slug'))
    .refine((value) => value.length <= SLUG_LIMIT, because('too_long', { limit: SLUG_LIMIT })),
  price: pesos,
  price_before: plain.transform((value) => (value === '' ? null : value)).pipe(pesos.nullable()),
  weight_g: plain
    .refine(
      (value) => value === '' || (/^\d{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_WEIGHT),
      because('weight'),
    )
    .transform((value) => (value === '' ? null : Number(value))),
  stock: plain
    .refine((value) => /^\d{0,7}$/.test(value) && Number(value) <= MAX_STOCK, because('stock'))
    .transform((value) => (value === '' ? null : Number(value))),
  tax_rate: plain
    .transform((value) => value.toLowerCase() || '16')
    .refine((value) => TAX_RATES.some((rate) => rate === value), because('tax_rate', { rates: TAX_RATES.join(', ') }))
    .pipe(z.enum(TAX_RATES)),
  requires_shipping: yesOrNo(true),
  visible: yesOrNo(true),
  featured: yesOrNo(false),
  image: plain.regex(
    /^(?=.{1,200}$)(?:(?:\/[\w-][\w.-]*)+\.(?:jpg|jpeg|png|webp|svg)|\/pictures\/[\da-f]{64})$/,
    because('image'),
  ),
  clave_prod_serv: plain.regex(/^(?:\d{8})?$/, because('clave_prod_serv')),
  clave_unidad: plain.regex(/^[A-Za-z\d]{0,3}$/, because('clave_unidad')).toUpperCase(),
  variant_of: plain
    .refine((value) => value === '' || ID.test(value), WRONG_ID)
    .transform((value) => (value === '' ? null : value)),
  variant_attribute: plain
    .transform((value) => value.toLowerCase() || null)
    .refine(
      (value) => value === null || VARIANT_ATTRIBUTES.some((name) => name === value),
      because('variant_attribute', { names: VARIANT_ATTRIBUTES.join(', ') }),
    )
    .pipe(z.enum(VARIANT_ATTRIBUTES).nullable()),
};

/** `name`, `es-MX` → `name_es_mx`. */
export function columnOf(name: TextName, locale: Locale): string {
  return `${name}_${locale.toLowerCase().replaceAll('-', '_')}`;
}

/** The columns of the texts. */
export const TEXT_COLUMNS = LOCALES.flatMap((locale) =>
  TEXT_NAMES.map((name) => ({ name, locale, column: columnOf(name, locale) })),
);

/** The columns in the order of an exported file. */
export const COLUMNS = [...Object.keys(OWN_CELLS), ...TEXT_COLUMNS.map(({ column }) => column)];

/** Returns whether a column has texts in a language that the shop does not have, such as that of a removed locale. */
export function isOfOtherLanguage(column: string): boolean {
  if (COLUMNS.includes(column)) return false;
  const [, name, language] = /^(\w+?)_([a-z]{2})(?:_[a-z]{2})?$/.exec(column) ?? [];
  return TEXT_NAMES.some((each) => each === name) && !LOCALES.some((locale) => locale.slice(0, 2) === language);
}

/** Returns the columns that every file must have. */
export function requiredColumns(locale: Locale): readonly string[] {
  const texts = TEXT_COLUMNS.filter((each) => each.locale === locale && isRequired(each.name));
  return ['id', 'price', 'image', ...texts.map(({ column }) => column)];
}

function isRequired(name: TextName): boolean {
  return name !== 'description' && name !== 'variant';
}

/** Of browsers, spreadsheets and word processors. */
const LINE_BREAK = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Of word processors. No keyboard types one. */
const RARE_LINE_BREAK = /[\u0085\u2028\u2029]/g;

/** Returns the rules of a text. Only a description may have line breaks. */
function textCell(name: TextName, required: boolean) {
  const limit = TEXT_LIMITS[name];
  return (
    z
      .string()
      // Some spreadsheets also accept full-width and small signs. NFKC maps them to ASCII.
      .refine((raw) => !/^(?:\t|[\s\u0085]*[=+\-@])/.test(raw.normalize('NFKC')), because('formula'))
      .transform((raw) => {
        const text = name === 'description' ? raw : raw.replace(RARE_LINE_BREAK, ' ');
        return text.replace(LINE_BREAK, '\n').trim();
      })
      .refine((value) => !required || value !== '', because('missing'))
      .refine((value) => value.length <= limit, because('too_long', { limit }))
      .refine(
        (value) => !/\p{Cc}/u.test(name === 'description' ? value.replaceAll('\n', '') : value),
        because('control'),
      )
      .refine((value) => name !== 'category' || value === '' || slugOf(value) !== '', because('no_letter'))
  );
}

export type ProductReading =
  | { readonly ok: true; readonly product: Product }
  | { readonly ok: false; readonly problems: readonly CellProblem<ProblemCode>[] };

/** Returns the first problem of each cell. */
function problemsOf(issues: readonly z.core.$ZodIssue[]): readonly CellProblem<ProblemCode>[] {
  const columns = issues.map(({ path }) => String(path[0]));
  return issues
    .map((issue, index) => ({
      column: columns[index] ?? '',
      // Each rule has the code of `because`.
      code: issue.message as ProblemCode,
      ...(issue.code === 'custom' && { values: issue.params as CellProblem['values'] }),
    }))
    .filter(({ column }, index) => columns.indexOf(column) === index);
}

/** Returns a function that reads the cells of one product. Missing cells count as empty. */
export function productReader({ locale, hasPicture }: ProductRules): (cells: Cells) => ProductReading {
  const columns = z.object({
    ...OWN_CELLS,
    image: OWN_CELLS.image.refine(hasPicture, because('no_such_image')),
    ...Object.fromEntries(
      TEXT_COLUMNS.map((each) => [each.column, textCell(each.name, each.locale === locale && isRequired(each.name))]),
    ),
  });
  const schema = columns.refine(({ price, price_before: before }) => before === null || before > price, {
    path: ['price_before'],
    ...because('price_before'),
  });
  const empty = Object.fromEntries(COLUMNS.map((column) => [column, '']));
  return (cells) => {
    const { error, data } = schema.safeParse({ ...empty, ...cells });
    if (error) return { ok: false, problems: problemsOf(error.issues) };
    // Every other column holds a text.
    const texts = data as unknown as Cells;
    const textsOf = (name: TextName): Texts =>
      Object.fromEntries(
        TEXT_COLUMNS.filter((each) => each.name === name && texts[each.column]).map((each) => [
          each.locale,
          texts[each.column],
        ]),
      );
    const category = textsOf('category');
    const [name, label] = [textsOf('name'), textsOf('variant')];
    const isVariant = Object.keys(label).length > 0;
    const product = {
      id: data.id,
      slug: data.slug,
      category: { id: slugOf(category[locale] ?? ''), name: category },
      price: data.price,
      priceBefore: data.price_before,
      weight: data.weight_g,
      taxRate: data.tax_rate,
      stock: data.stock,
      requiresShipping: data.requires_shipping,
      visible: data.visible,
      featured: data.featured,
      image: data.image,
      claveProdServ: data.clave_prod_serv,
      claveUnidad: data.clave_unidad,
      variantOf: data.variant_of,
      variantAttribute: data.variant_attribute,
      variant: isVariant ? { label, groupName: name } : undefined,
      name: isVariant ? variantName(name, label) : name,
      description: textsOf('description'),
      imageAlt: textsOf('image_alt'),
    };
    return { ok: true, product };
  };
}

/** Returns the cells of a product. Reading them returns the same product. */
export function cellsOf(product: Product): Cells {
  const { description, imageAlt, category } = product;
  const { label: variant, groupName: name } = product.variant ?? { label: {}, groupName: product.name };
  const texts: Readonly<Record<TextName, Texts>> = {
    name,
    description,
    image_alt: imageAlt,
    category: category.name,
    variant,
  };
  return {
    id: product.id,
    slug: product.slug,
    price: toPesosText(product.price),
    price_before: product.priceBefore === null ? '' : toPesosText(product.priceBefore),
    weight_g: product.weight === null ? '' : String(product.weight),
    stock: product.stock === null ? '' : String(product.stock),
    tax_rate: product.taxRate,
    requires_shipping: product.requiresShipping ? 'yes' : 'no',
    visible: product.visible ? 'yes' : 'no',
    featured: product.featured ? 'yes' : 'no',
    image: product.image,
    clave_prod_serv: product.claveProdServ,
    clave_unidad: product.claveUnidad,
    variant_of: product.variantOf ?? '',
    variant_attribute: product.variantAttribute ?? '',
    ...Object.fromEntries(TEXT_COLUMNS.map((each) => [each.column, texts[each.name][each.locale] ?? ''])),
  };
}

/**
 * Returns the cells of a product with those of a file over them. If the file has no column `price_before`, a price that is
 * not below the price before ends the sale.
 */
export function cellsWith(product: Product, cells: Cells): Cells {
  const merged = { ...cellsOf(product), ...cells };
  const price = pesos.safeParse(cells['price']);
  const endsSale = price.success && product.priceBefore !== null && price.data >= product.priceBefore;
  return endsSale && !('price_before' in cells) ? { ...merged, price_before: '' } : merged;
}

/** Returns the cells in which two products differ, before and after, by column. */
export function changedCells(before: Product, after: Product): ProductEvent['detail'] {
  const [old, current] = [cellsOf(before), cellsOf(after)];
  const changed = COLUMNS.filter((column) => old[column] !== current[column]);
  return Object.fromEntries(changed.map((column) => [column, [old[column] ?? '', current[column] ?? '']]));
}
