import type { ProductPage } from '../db/products.js';
import { textIn } from '../domain/locale.js';
import type { Product } from '../domain/product.js';
import { formatMoney } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { AdminProductsPage } from './admin-view-models.js';

export const PRODUCTS_PATH = '/admin/products';

/** Ids hold letters, digits, `-` and `_` only. */
export function adminProductPath({ id }: Pick<Product, 'id'>): string {
  return `${PRODUCTS_PATH}/${id}`;
}

/** Returns the path of a page of the list. */
export function productsAddress(text: string, page: number): string {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? PRODUCTS_PATH : `${PRODUCTS_PATH}?${query}`;
}

/** Products as found, and what was searched. */
export interface FoundProducts extends ProductPage {
  readonly text: string;
  readonly page: number;
  readonly pages: number;
}

/** Builds the model of the product list. */
export function adminProductsPage({ locale, t }: I18n, found: FoundProducts): AdminProductsPage {
  const { text, page, pages, count } = found;
  const linkTo = (number: number) =>
    number < 1 || number > pages ? undefined : productsAddress(text, number);
  return {
    typed: text,
    found: t('catalog.found', { count }),
    rows: found.products.map((product) => ({
      id: product.id,
      href: adminProductPath(product),
      name: textIn(product.name, locale),
      price: formatMoney(product.price, locale),
      stock: product.stock === null ? t('admin.products.unlimited') : String(product.stock),
      state: t(product.visible ? 'admin.products.visible' : 'admin.products.hidden'),
      tone: product.visible ? 'good' : 'waiting',
    })),
    ...(pages > 1 && {
      pages: {
        label: t('catalog.page', { page, pages }),
        previous: linkTo(page - 1),
        next: linkTo(page + 1),
      },
    }),
  };
}
