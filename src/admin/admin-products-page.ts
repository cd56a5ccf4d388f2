import { type CellProblem, type Cells, TEXT_COLUMNS, TEXT_LIMITS } from '../catalog/product-cells.js';
import type { ProductEvent, StoredProduct } from '../db/product-changes.js';
import type { ProductSearchResult } from '../db/products.js';
import { LOCALES, textIn } from '../domain/locale.js';
import { formatMoney } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import { formatShortMoment } from './format-time.js';
import { fieldErrorList } from './order-record.js';

export const PRODUCTS_PATH = '/admin/products';
/** Results of the form. The redirect carries the code in its query string, never a text. */
const RESULTS = ['saved', 'unchanged', 'changed_meanwhile'] as const;
const MAX_SHOWN_LENGTH = 200;

/** Returns the path of a page of the list. */
export function productsAddress(text: string, page: number): string {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? PRODUCTS_PATH : `${PRODUCTS_PATH}?${query}`;
}

/** Products as found, and what was searched. */
interface FoundProducts extends ProductSearchResult {
  readonly text: string;
  readonly page: number;
  readonly pages: number;
}

/** Builds the model of the product list. */
export function adminProductsPage({ locale, t }: I18n, found: FoundProducts) {
  const { text, page, pages, count } = found;
  const linkTo = (number: number) =>
    number < 1 || number > pages ? undefined : productsAddress(text, number);
  return {
    typed: text,
    found: t('catalog.found', { count }),
    rows: found.products.map((product) => ({
      id: product.id,
      href: `${PRODUCTS_PATH}/${product.id}`,
      name: textIn(product.name, locale),
      price: formatMoney(product.price, locale),
      stock: product.stock === null ? t('admin.products.unlimited') : String(product.stock),
      state: t(product.visible ? 'admin.products.visible' : 'admin.products.hidden'),
      tone: product.visible ? 'good' : 'waiting',
    })),
    pages:
      pages > 1
        ? {
            label: t('catalog.page', { page, pages }),
            previous: linkTo(page - 1),
            next: linkTo(page + 1),
          }
        : undefined,
  };
}

/** A product with the cells of the form as typed. */
export interface ProductForm {
  readonly stored: StoredProduct;
  readonly cells: Cells;
  readonly problems: readonly CellProblem[];
  readonly events: readonly ProductEvent[];
  readonly result: string;
}

/** Builds the model of the product page, with the problem at each field. */
export function adminProductPage({ t, locale }: I18n, form: ProductForm) {
  const { cells, problems, events } = form;
  const { product, version } = form.stored;
  const result = RESULTS.find((name) => name === form.result);
  const field = (column: string, message: string) => ({
    name: column,
    value: cells[column] ?? '',
    error: problems.some((problem) => problem.column === column) ? message : undefined,
  });
  const price = field('price', t('admin.products.problems.price'));
  const stock = field('stock', t('admin.products.problems.stock'));
  const texts = TEXT_COLUMNS.map((each) => ({
    ...field(each.column, t(`admin.products.problems.${each.name}`, { limit: TEXT_LIMITS[each.name] })),
    lang: each.locale,
    label: t(`admin.products.texts.${each.name}`),
    limit: String(TEXT_LIMITS[each.name]),
    multiline: each.name === 'description',
  }));
  return {
    id: product.id,
    name: textIn(product.name, locale),
    /** Absent if the product is hidden. */
    shopHref: product.visible ? `/products/${product.slug}` : undefined,
    result: result && t(`admin.products.results.${result}`),
    errors: fieldErrorList(
      Object.fromEntries([price, stock, ...texts].map(({ name, error }) => [name, error])),
    ),
    price,
    stock,
    texts: LOCALES.map((lang) => ({
      lang,
      label: new Intl.DisplayNames(locale, { type: 'language' }).of(lang) ?? lang,
      fields: texts.filter((text) => text.lang === lang),
    })),
    visible: cells['visible'] === 'yes',
    version: String(version),
    seenStock: product.stock === null ? '' : String(product.stock),
    events: events.map(({ at, by, kind, detail }) => ({
      at: formatShortMoment(at, locale),
      by,
      kind: t(`admin.products.events.${kind}`),
      changes: Object.entries(detail).map(([column, [before, after]]) => ({
        column,
        before: shortened(before),
        after: shortened(after),
      })),
    })),
  };
}

function shortened(text: string): string {
  if (text === '') return '—';
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`;
}
