import { type Cart, type PricedCart, priceCart } from '../../domain/cart.js';
import {
  allCategories,
  type Locale,
  type Product,
  searchProducts,
  textIn,
  type Wish,
} from '../../domain/catalogue.js';
import { formatMoney } from '../../locales/format.js';
import type { Translate } from '../../locales/translations.js';
import type { CartPage, CataloguePage, ProductPage, SummaryLine } from '../view-models.js';

/** Locale and messages of a page. */
export interface Reader {
  readonly locale: Locale;
  readonly t: Translate;
}

/** Builds the model of the catalog page: all products, or those that match the search and category. */
export function cataloguePage(reader: Reader, wish: Wish): CataloguePage {
  const { locale } = reader;
  const products = searchProducts(wish);
  const heading = headingOf(reader, wish);
  return {
    typed: wish.text,
    categories: categoryLinks(reader, wish),
    products: products.map((product) => ({
      name: textIn(product.name, locale),
      price: formatMoney(product.price, locale),
      href: `/products/${product.slug}`,
      image: product.image,
      imageAlt: textIn(product.imageAlt, locale),
    })),
    ...(heading !== '' && {
      narrowed: { heading, found: reader.t('catalogue.found', { count: products.length }) },
    }),
  };
}

/** Returns the path of a catalog page. It is `/` without search text and category. */
export function cataloguePath({ text, category }: Wish): string {
  const query = new URLSearchParams({ ...(text !== '' && { q: text }), ...(category && { category }) });
  return query.size === 0 ? '/' : `/?${query}`;
}

function headingOf({ locale, t }: Reader, { text, category }: Wish): string {
  const found = allCategories().find(({ id }) => id === category);
  const shelf = found && textIn(found.name, locale);
  if (text === '') return shelf ?? '';
  return shelf === undefined
    ? t('catalogue.results', { text })
    : t('catalogue.resultsOnShelf', { text, shelf });
}

/** Category links keep the search text, so that one click narrows a search. */
function categoryLinks({ locale, t }: Reader, { text, category }: Wish): CataloguePage['categories'] {
  const link = (label: string, id: string | undefined) => ({
    label,
    href: cataloguePath({ text, ...(id && { category: id }) }),
    current: id === category,
  });
  return [
    link(t('catalogue.everything'), undefined),
    ...allCategories().map(({ id, name }) => link(textIn(name, locale), id)),
  ];
}

/** Builds the model of the product page with the posted quantity and its error. */
export function productPage(
  { locale }: Reader,
  product: Product,
  typed: { readonly quantity: string; readonly error?: string },
): ProductPage {
  return {
    id: product.id,
    name: textIn(product.name, locale),
    description: textIn(product.description, locale),
    price: formatMoney(product.price, locale),
    image: product.image,
    imageAlt: textIn(product.imageAlt, locale),
    quantity: typed.quantity,
    ...(typed.error !== undefined && { quantityError: typed.error }),
  };
}

/** A refused quantity as the customer typed it. */
export interface RefusedQuantity {
  readonly productId: string;
  readonly typed: string;
  readonly message: string;
}

/** Builds the model of the cart page at current prices. */
export function cartPage(reader: Reader, cart: Cart | undefined, refused?: RefusedQuantity): CartPage {
  const { locale } = reader;
  const priced = priceCart(cart ?? { lines: [] });
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
      ...(refused?.productId === product.id
        ? { quantity: refused.typed, quantityError: refused.message }
        : { quantity: String(quantity) }),
    })),
    said: reader.t('cart.said', {
      count: priced.lines.reduce((pieces, { quantity }) => pieces + quantity, 0),
      total: formatMoney(priced.total, locale),
    }),
    total: formatMoney(priced.total, locale),
    notices: [...priceNotices(reader, priced), ...(refused && !inCart ? [refused.message] : [])],
  };
}

/** Returns one sentence for each changed price and each withdrawn product of the cart. */
export function priceNotices({ locale, t }: Reader, priced: PricedCart): readonly string[] {
  return [
    ...priced.repriced.map(({ product, from, to }) =>
      t('notices.priceChanged', {
        name: textIn(product.name, locale),
        from: formatMoney(from, locale),
        to: formatMoney(to, locale),
      }),
    ),
    ...priced.withdrawn.map((name) => t('notices.removed', { name })),
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
