/** The cells of a product: one text per column of the CSV file, and the fields of the back office. */
import { z } from 'zod';
import { LOCALES, type Locale, type Texts } from '../domain/locale.js';
import { centavos, fromPesosText, toPesosText } from '../domain/money.js';
import { type Product, slugOf, TAX_RATES } from '../domain/product.js';

/** Texts by column name. */
export type Cells = Readonly<Record<string, string>>;

/** Changed cells before and after, by column. */
export type ChangedCells = Readonly<Record<string, readonly [before: string, after: string]>>;

export interface CellProblem {
  readonly column: string;
  /** What is wrong, as the rest of a sentence that begins with the value. */
  readonly text: string;
}

export type ProductReading =
  | { readonly ok: true; readonly product: Product }
  | { readonly ok: false; readonly problems: readonly CellProblem[] };

/** What the validity of a product depends on. */
export interface ProductRules {
  /** Name, category and image text are required in this locale. */
  readonly locale: Locale;
  /** Returns whether the picture exists below `public/`. */
  readonly hasPicture: (path: string) => boolean;
}

export const SLUG_LIMIT = 100;
const MAX_STOCK = 1_000_000;
export const TEXT_LIMITS = { name: 120, description: 4_000, image_alt: 250, category: 60 } as const;
export const TEXT_NAMES = ['name', 'description', 'image_alt', 'category'] as const;
type TextName = (typeof TEXT_NAMES)[number];
const REQUIRED_TEXTS: readonly TextName[] = ['name', 'image_alt', 'category'];

/** The columns in the order of an exported file. */
export const COLUMNS: readonly string[] = [
  ...['id', 'slug', 'price', 'stock', 'tax_rate', 'requires_shipping', 'visible', 'image'],
  ...['clave_prod_serv', 'clave_unidad'],
  ...LOCALES.flatMap((locale) => TEXT_NAMES.map((name) => columnOf(name, locale))),
];

/** Returns the columns that every file must have. */
export function requiredColumns(locale: Locale): readonly string[] {
  return ['id', 'price', 'image', ...REQUIRED_TEXTS.map((name) => columnOf(name, locale))];
}

/** `name`, `es-MX` → `name_es_mx`. */
export function columnOf(name: TextName, locale: Locale): string {
  return `${name}_${locale.toLowerCase().replaceAll('-', '_')}`;
}

/** Some spreadsheets also accept full-width and small signs. NFKC maps them to ASCII. */
const isFormula = (text: string) => /^[=+\-@\t]/.test(text.normalize('NFKC'));
const CONTROL = /\p{Cc}/u;
const YES = ['', 'yes', 'true', '1', 'sí', 'si'];
const NO = ['no', 'false', '0'];

/** A cell whose pattern allows no formula. */
const plain = z.string().trim();

const freeText = z
  .string()
  .refine((raw) => !isFormula(raw) && !isFormula(raw.trim()), 'begins as a formula of a spreadsheet')
  .transform((raw) => raw.replaceAll('\r\n', '\n').trim());

/** A text of at most `limit` characters. Only a description may have line breaks. */
function text(name: TextName, required: boolean) {
  const limit = TEXT_LIMITS[name];
  return freeText
    .refine((value) => !required || value !== '', 'is missing')
    .refine((value) => value.length <= limit, `has more than ${limit} characters`)
    .refine(
      (value) => !CONTROL.test(name === 'description' ? value.replaceAll('\n', '') : value),
      'has a line break or a control character',
    )
    .refine(
      (value) => name !== 'category' || value === '' || slugOf(value) !== '',
      'has no letter from A to Z',
    );
}

function matching(pattern: RegExp, problem: string) {
  return plain.refine((value) => pattern.test(value), problem);
}

const yesOrNo = plain
  .transform((value) => value.toLowerCase())
  .refine((value) => YES.includes(value) || NO.includes(value), 'is neither yes nor no')
  .transform((value) => YES.includes(value));

/** Returns a function that reads the cells of one product. Missing cells count as empty. */
export function productReader({ locale, hasPicture }: ProductRules): (cells: Cells) => ProductReading {
  const texts = LOCALES.flatMap((each) =>
    TEXT_NAMES.map((name) => {
      const required = each === locale && REQUIRED_TEXTS.includes(name);
      return [columnOf(name, each), text(name, required)] as const;
    }),
  );
  const schema = z.object({
    ...OWN_CELLS,
    image: OWN_CELLS.image.refine(hasPicture, 'is no file below public/'),
    ...Object.fromEntries(texts),
  });
  const empty = Object.fromEntries(COLUMNS.map((column) => [column, '']));
  return (cells) => {
    const result = schema.safeParse({ ...empty, ...cells });
    if (!result.success) return { ok: false, problems: firstPerColumn(result.error.issues) };
    const { data } = result;
    // Every other column holds a text.
    return { ok: true, product: productOf(data, data as unknown as Cells, locale) };
  };
}

/** Returns the cells of a product. Reading them returns the same product. */
export function cellsOf(product: Product): Cells {
  const { id, slug, image, taxRate, price, stock, requiresShipping, visible } = product;
  const texts = { name: product.name, description: product.description, image_alt: product.imageAlt };
  const textsByName = { ...texts, category: product.category.name };
  return {
    ...{ id, slug, image, tax_rate: taxRate },
    price: toPesosText(price),
    stock: stock === null ? '' : String(stock),
    requires_shipping: requiresShipping ? 'yes' : 'no',
    visible: visible ? 'yes' : 'no',
    clave_prod_serv: product.claveProdServ,
    clave_unidad: product.claveUnidad,
    ...Object.fromEntries(
      LOCALES.flatMap((locale) =>
        TEXT_NAMES.map((name) => [columnOf(name, locale), textsByName[name][locale] ?? '']),
      ),
    ),
  };
}

/** Returns the cells in which two products differ, before and after, by column. */
export function changedCells(before: Product, after: Product): ChangedCells {
  const [old, current] = [cellsOf(before), cellsOf(after)];
  const changed = COLUMNS.filter((column) => old[column] !== current[column]);
  return Object.fromEntries(changed.map((column) => [column, [old[column] ?? '', current[column] ?? '']]));
}

const OWN_CELLS = {
  id: matching(/^\w[\w-]{0,63}$/, 'is not 1 to 64 letters, digits, - or _').refine(
    (value) => value !== 'shipping',
    'is reserved for the shipping of an order',
  ),
  slug: matching(/^(?:[a-z\d]+(?:-[a-z\d]+)*)?$/, 'is not lower-case letters and digits, joined by -').refine(
    (value) => value.length <= SLUG_LIMIT,
    `has more than ${SLUG_LIMIT} characters`,
  ),
  price: matching(
    /^(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.\d{1,2})?$/,
    'is not an amount in pesos, as 1099.5 or 1,099.00',
  )
    .transform((value) => fromPesosText(value.replaceAll(',', '')) ?? centavos(0))
    .refine((value) => value > 0, 'is not above zero'),
  stock: plain
    .refine(
      (value) => /^\d{0,7}$/.test(value) && Number(value) <= MAX_STOCK,
      'is not a whole number from 0 to 1,000,000, or empty for unlimited',
    )
    .transform((value) => (value === '' ? null : Number(value))),
  tax_rate: plain
    .transform((value) => value.toLowerCase() || '16')
    .pipe(z.enum(TAX_RATES, `is none of ${TAX_RATES.join(', ')}`)),
  requires_shipping: yesOrNo,
  visible: yesOrNo,
  image: matching(
    /^(?=.{1,200}$)(?:\/[\w-][\w.-]*)+\.(?:jpg|jpeg|png|webp|svg)$/,
    'is not the path of a .jpg, .jpeg, .png, .webp or .svg file below public/, as /products/mug.jpg',
  ),
  clave_prod_serv: matching(/^(?:\d{8})?$/, 'is not 8 digits'),
  clave_unidad: matching(/^[A-Za-z\d]{0,3}$/, 'is not 1 to 3 letters or digits').transform((value) =>
    value.toUpperCase(),
  ),
};

function productOf(data: z.output<z.ZodObject<typeof OWN_CELLS>>, texts: Cells, locale: Locale): Product {
  const textsOf = (name: TextName): Texts =>
    Object.fromEntries(
      LOCALES.flatMap((each) => {
        const value = texts[columnOf(name, each)];
        return value ? [[each, value]] : [];
      }),
    );
  const category = textsOf('category');
  return {
    ...{ id: data.id, slug: data.slug, price: data.price, stock: data.stock, image: data.image },
    ...{ taxRate: data.tax_rate, requiresShipping: data.requires_shipping, visible: data.visible },
    ...{ claveProdServ: data.clave_prod_serv, claveUnidad: data.clave_unidad },
    category: { id: slugOf(category[locale] ?? ''), name: category },
    name: textsOf('name'),
    description: textsOf('description'),
    imageAlt: textsOf('image_alt'),
  };
}

function firstPerColumn(issues: readonly z.core.$ZodIssue[]): readonly CellProblem[] {
  const problems = issues.map(({ path, message }) => ({ column: String(path[0]), text: message }));
  return problems.filter(
    ({ column }, index) => problems.findIndex((each) => each.column === column) === index,
  );
}
