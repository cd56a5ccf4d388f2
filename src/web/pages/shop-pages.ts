import type { PricedCart } from '../../domain/cart.js';
import { type Locale, textIn } from '../../domain/locale.js';
import type { CatalogQuery, Category, OfferedProduct } from '../../domain/product.js';
import { formatMoney, formatTax } from '../../locales/format.js';
import type { Translate } from '../../locales/translations.js';
import type { PageLinks, SummaryLine } from '../view-models.js';

/** A product page shows how many pieces are left up to this number. */
const FEW_LEFT = 5;

/** Locale and messages of a page. */
export interface I18n {
  readonly locale: Locale;
  readonly t: Translate;
}

/** A page of the catalog as read from the database. */
export interface CatalogInput {
  readonly query: CatalogQuery;
  readonly categories: readonly Category[];
  readonly products: readonly OfferedProduct[];
  /** Number of matching products on all pages. */
  readonly count: number;
  /** Page number, from 1. */
  readonly page: number;
  readonly pages: number;
}

/** Builds the model of views/catalog.ejs: all products, or those that match the search and category. */
export function catalogPage(i18n: I18n, input: CatalogInput) {
  const { locale, t } = i18n;
  const { query, products, count, page, pages } = input;
  const heading = headingOf(i18n, input);
  const links: PageLinks = {
    label: t('catalog.page', { page, pages }),
    previous: page > 1 ? catalogPath(query, page - 1) : undefined,
    next: page < pages ? catalogPath(query, page + 1) : undefined,
  };
  return {
    typed: query.text,
    categories: categoryLinks(i18n, input),
    empty: input.categories.length === 0,
    products: products.map((product) => ({
      name: textIn(product.name, locale),
      price: formatMoney(product.price, locale),
      href: `/products/${product.slug}`,
      image: product.image,
      imageAlt: textIn(product.imageAlt, locale),
      soldOut: product.left === 0,
    })),
    narrowed: heading === '' ? undefined : { heading, found: t('catalog.found', { count }) },
    pages: pages > 1 ? links : undefined,
  };
}

/** Returns the path of a catalog page. It is `/` for the first page without search text and category. */
export function catalogPath({ text, category }: CatalogQuery, page = 1): string {
  const parameters = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(category && { category }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? '/' : `/?${parameters}`;
}

function headingOf({ locale, t }: I18n, { categories, query }: CatalogInput): string {
  const { text, category } = query;
  const found = categories.find(({ id }) => id === category);
  const name = found && textIn(found.name, locale);
  if (text === '') return name ?? '';
  return name === undefined
    ? t('catalog.results', { text })
    : t('catalog.resultsInCategory', { text, category: name });
}

/** Category links keep the search text, so that one click narrows a search. */
function categoryLinks({ locale, t }: I18n, { categories, query: { text, category } }: CatalogInput) {
  const link = (label: string, id: string | undefined) => ({
    label,
    href: catalogPath({ text, category: id }),
    current: id === category,
  });
  return [
    link(t('catalog.everything'), undefined),
    ...categories.map(({ id, name }) => link(textIn(name, locale), id)),
  ];
}

/** Builds the model of views/product.ejs with the posted quantity and its error. */
export function productPage(
  { locale, t }: I18n,
  product: OfferedProduct,
  typed: { readonly quantity: string; readonly error?: string },
) {
  const { left } = product;
  const isFew = left !== null && left > 0 && left <= FEW_LEFT;
  return {
    id: product.id,
    name: textIn(product.name, locale),
    description: textIn(product.description, locale),
    price: formatMoney(product.price, locale),
    image: product.image,
    imageAlt: textIn(product.imageAlt, locale),
    quantity: typed.quantity,
    quantityError: typed.error,
    soldOut: left === 0,
    fewLeft: isFew ? t('product.fewLeft', { count: left }) : undefined,
  };
}

/** A refused quantity as the customer typed it. */
export interface RefusedQuantity {
  readonly productId: string;
  readonly typed: string;
  readonly message: string;
}

/** Builds the model of views/cart.ejs. */
export function cartPage(i18n: I18n, priced: PricedCart, refused?: RefusedQuantity) {
  const { locale } = i18n;
  const inCart = priced.lines.some((line) => line.product.id === refused?.productId);
  return {
    lines: priced.lines.map(({ product, quantity, unitPrice, lineTotal }) => ({
      productId: product.id,
      name: textIn(product.name, locale),
      href: `/products/${product.slug}`,
      image: product.image,
      imageAlt: textIn(product.imageAlt, locale),
      unitPrice: formatMoney(unitPrice, locale),
      lineTotal: formatMoney(lineTotal, locale),
      quantity: refused?.productId === product.id ? refused.typed : String(quantity),
      quantityError: refused?.productId === product.id ? refused.message : undefined,
    })),
    // For screen readers, after the cart was updated without a page load.
    announcement: i18n.t('cart.announcement', {
      count: priced.lines.reduce((pieces, { quantity }) => pieces + quantity, 0),
      total: formatMoney(priced.total, locale),
    }),
    total: formatMoney(priced.total, locale),
    tax: formatTax(priced.lines, locale),
    notices: [...priceNotices(i18n, priced), ...(refused && !inCart ? [refused.message] : [])],
  };
}

/** Returns one sentence for each changed price, withdrawn product and reduced line of the cart. */
export function priceNotices({ locale, t }: I18n, priced: PricedCart): readonly string[] {
  return [
    ...priced.repriced.map(({ product, from, to }) =>
      t('notices.priceChanged', {
        name: textIn(product.name, locale),
        from: formatMoney(from, locale),
        to: formatMoney(to, locale),
      }),
    ),
    ...priced.withdrawn.map(({ product, productId }) =>
      t('notices.removed', { name: product ? textIn(product.name, locale) : productId }),
    ),
    ...priced.shortages.map(({ product, wanted, left }) => {
      const name = textIn(product.name, locale);
      return left === 0
        ? t('notices.soldOut', { name })
        : t('notices.fewLeft', { name, count: left, wanted });
    }),
  ];
}

/** Builds the lines of the order summary. */
export function summaryLines(locale: Locale, priced: PricedCart): readonly SummaryLine[] {
  return priced.lines.map(({ product, quantity, lineTotal }) => ({
    name: textIn(product.name, locale),
    quantity,
    lineTotal: formatMoney(lineTotal, locale),
  }));
}
