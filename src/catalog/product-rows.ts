import { LOCALES, type Locale, type Texts } from '../domain/locale.js';
import { type Centavos, fromPesosText } from '../domain/money.js';
import { type Category, type Product, slugOf, TAX_RATES } from '../domain/product.js';

export type CatalogReading =
  | { readonly ok: true; readonly products: readonly Product[] }
  /** Problems with the row number of the spreadsheet; the heading is row 1. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** A row of a spreadsheet or database table: text by column name. */
export type ProductRow = Readonly<Record<string, string | undefined>>;

const ID = /^[\w-]{1,64}$/;
const IMAGE = /^\/[\w./-]+$/;

/**
 * Parses rows with the columns `id`, `price` (pesos) and `image` (a path below `public/`). Each locale has `category`,
 * `name`, `description` and `image_alt`, for example `name_es_mx`. Only the default locale is required.
 */
export function readProductRows(rows: readonly ProductRow[]): CatalogReading {
  const problems = rows.flatMap((row, index) =>
    problemsOf(row).map((problem) => `row ${index + 2}: ${problem}`),
  );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, products: rows.map(productOf) };
}

const TEXTS = ['category', 'name', 'description', 'image_alt'] as const;

function problemsOf(row: ProductRow): readonly string[] {
  const missing = TEXTS.map((name) => columnOf(name, LOCALES[0])).filter((name) => !row[name]);
  return [
    ...missing.map((name) => `${name} is missing`),
    ...(ID.test(row['id'] ?? '') ? [] : ['id must be 1 to 64 letters, digits, - or _']),
    ...(priceOf(row) ? [] : ['price must be pesos above zero, as 289 or 289.50']),
    ...(IMAGE.test(row['image'] ?? '') ? [] : ['image must be a path below public/, as /products/mug.jpg']),
  ];
}

function priceOf({ price }: ProductRow): Centavos | undefined {
  return fromPesosText(price ?? '') || undefined;
}

function productOf(row: ProductRow): Product {
  const name = textsOf(row, 'name');
  const price = priceOf(row);
  if (price === undefined) throw new Error('a price that was not checked');
  return {
    id: row['id'] ?? '',
    slug: row['slug'] || slugOf(name[LOCALES[0]]),
    category: categoryOf(row),
    price,
    taxRate: TAX_RATES.find((rate) => rate === row['tax_rate']) ?? '16',
    stock: row['stock'] ? Number(row['stock']) : null,
    requiresShipping: row['requires_shipping'] !== 'no',
    visible: row['visible'] !== 'no',
    image: row['image'] ?? '',
    claveProdServ: row['clave_prod_serv'] ?? '',
    claveUnidad: row['clave_unidad'] ?? '',
    name,
    description: textsOf(row, 'description'),
    imageAlt: textsOf(row, 'image_alt'),
  };
}

function categoryOf(row: ProductRow): Category {
  const name = textsOf(row, 'category');
  return { id: slugOf(name[LOCALES[0]]), name };
}

function textsOf(row: ProductRow, name: (typeof TEXTS)[number]): Texts {
  const [first, ...others] = LOCALES;
  const translated = others.flatMap((locale) => {
    const text = row[columnOf(name, locale)];
    return text ? [[locale, text] as const] : [];
  });
  return { ...Object.fromEntries(translated), [first]: row[columnOf(name, first)] ?? '' };
}

/** `name`, `es-MX` → `name_es_mx`. */
function columnOf(name: string, locale: Locale): string {
  return `${name}_${locale.toLowerCase().replaceAll('-', '_')}`;
}
