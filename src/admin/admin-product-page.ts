import { type CellProblem, type Cells, columnOf, TEXT_LIMITS, TEXT_NAMES } from '../catalog/product-cells.js';
import type { ProductEvent, StoredProduct } from '../db/product-changes.js';
import { LOCALES, textIn } from '../domain/locale.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { AdminProductPage } from './admin-view-models.js';
import { formatShortMoment } from './format-time.js';

/** Results of the form. The redirect carries the code in its query string, never a text. */
const RESULTS = ['saved', 'unchanged', 'changed_meanwhile'] as const;
const MAX_SHOWN_LENGTH = 200;

/** Returns the columns that the form edits, except `visible`, which is a checkbox. */
export function editedColumns(): readonly string[] {
  return ['price', 'stock', ...LOCALES.flatMap((locale) => TEXT_NAMES.map((name) => columnOf(name, locale)))];
}

/** A product with the cells of the form as typed. */
export interface ProductRecord {
  readonly stored: StoredProduct;
  readonly cells: Cells;
  readonly problems: readonly CellProblem[];
  readonly events: readonly ProductEvent[];
  readonly result: string;
}

/** Builds the model of the product page, with the problem at each field. */
export function adminProductPage(i18n: I18n, record: ProductRecord): AdminProductPage {
  const { t, locale } = i18n;
  const { stored, cells, problems } = record;
  const { product, version } = stored;
  const result = RESULTS.find((name) => name === record.result);
  const errorOf = (column: string, name: keyof typeof TEXT_LIMITS | 'price' | 'stock') =>
    problems.some((problem) => problem.column === column)
      ? {
          error: t(`admin.products.problems.${name}`, {
            limit: name in TEXT_LIMITS ? TEXT_LIMITS[name as 'name'] : '',
          }),
        }
      : {};
  const texts = LOCALES.map((each) => ({
    lang: each,
    label: new Intl.DisplayNames(locale, { type: 'language' }).of(each) ?? each,
    fields: TEXT_NAMES.map((name) => {
      const column = columnOf(name, each);
      return {
        name: column,
        label: t(`admin.products.texts.${name}`),
        value: cells[column] ?? '',
        limit: String(TEXT_LIMITS[name]),
        multiline: name === 'description',
        ...errorOf(column, name),
      };
    }),
  }));
  const { price: typedPrice = '', stock: typedStock = '' } = cells;
  const price = { value: typedPrice, ...errorOf('price', 'price') };
  const stock = { value: typedStock, ...errorOf('stock', 'stock') };
  const fields = [
    { name: 'price', ...price },
    { name: 'stock', ...stock },
    ...texts.flatMap(({ fields: each }) => each),
  ];
  return {
    id: product.id,
    name: textIn(product.name, locale),
    ...(product.visible && { shopHref: `/products/${product.slug}` }),
    ...(result && { result: t(`admin.products.results.${result}`) }),
    errors: fields.flatMap((field) =>
      field.error === undefined ? [] : [{ field: field.name, message: field.error }],
    ),
    ...{ price, stock, texts, visible: cells['visible'] === 'yes' },
    version: String(version),
    seenStock: product.stock === null ? '' : String(product.stock),
    events: record.events.map((event) => eventOf(i18n, event)),
  };
}

function eventOf(
  { t, locale }: I18n,
  { at, by, kind, detail }: ProductEvent,
): AdminProductPage['events'][number] {
  return {
    at: formatShortMoment(at, locale),
    by,
    kind: t(`admin.products.events.${kind}`),
    changes: Object.entries(detail).map(([column, [before, after]]) => ({
      column,
      before: shortened(before),
      after: shortened(after),
    })),
  };
}

function shortened(text: string): string {
  if (text === '') return '—';
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`;
}
