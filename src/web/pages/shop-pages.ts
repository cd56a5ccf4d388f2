import { type Cart, type PricedCart, priceCart } from '../../core/cart.js';
import { allProducts, type Locale, type Product } from '../../core/catalogue.js';
import { formatMoney } from '../../words/format.js';
import type { Translate } from '../../words/translations.js';
import type { CartPage, CataloguePage, ProductPage, SummaryLine } from '../view-models.js';

/** In whose words a page is written. */
export interface Reader {
  readonly locale: Locale;
  readonly t: Translate;
}

export function cataloguePage({ locale }: Reader): CataloguePage {
  return {
    products: allProducts().map((product) => ({
      name: product.name[locale],
      price: formatMoney(product.price, locale),
      href: `/products/${product.slug}`,
      image: product.image,
      imageAlt: product.imageAlt[locale],
    })),
  };
}

export function productPage(
  { locale }: Reader,
  product: Product,
  typed: { readonly quantity: string; readonly error?: string },
): ProductPage {
  return {
    id: product.id,
    name: product.name[locale],
    description: product.description[locale],
    price: formatMoney(product.price, locale),
    image: product.image,
    imageAlt: product.imageAlt[locale],
    quantity: typed.quantity,
    ...(typed.error !== undefined && { quantityError: typed.error }),
  };
}

/** A quantity that was refused, as it was typed. */
export interface RefusedQuantity {
  readonly productId: string;
  readonly typed: string;
  readonly message: string;
}

export function cartPage(reader: Reader, cart: Cart | undefined, refused?: RefusedQuantity): CartPage {
  const { locale } = reader;
  const priced = priceCart(cart ?? { lines: [] });
  const inCart = priced.lines.some((line) => line.product.id === refused?.productId);
  return {
    lines: priced.lines.map(({ product, quantity, unitPrice, lineTotal }) => ({
      productId: product.id,
      name: product.name[locale],
      href: `/products/${product.slug}`,
      image: product.image,
      imageAlt: product.imageAlt[locale],
      unitPrice: formatMoney(unitPrice, locale),
      lineTotal: formatMoney(lineTotal, locale),
      ...(refused?.productId === product.id
        ? { quantity: refused.typed, quantityError: refused.message }
        : { quantity: String(quantity) }),
    })),
    total: formatMoney(priced.total, locale),
    notices: [...priceNotices(reader, priced), ...(refused && !inCart ? [refused.message] : [])],
  };
}

/** What changed since the shopper last looked, in sentences. */
export function priceNotices({ locale, t }: Reader, priced: PricedCart): readonly string[] {
  return [
    ...priced.repriced.map(({ product, from, to }) =>
      t('notices.priceChanged', {
        name: product.name[locale],
        from: formatMoney(from, locale),
        to: formatMoney(to, locale),
      }),
    ),
    ...priced.withdrawn.map((name) => t('notices.removed', { name })),
  ];
}

export function summaryLines(locale: Locale, priced: PricedCart): readonly SummaryLine[] {
  return priced.lines.map(({ product, quantity, lineTotal }) => ({
    name: product.name[locale],
    quantity,
    lineTotal: formatMoney(lineTotal, locale),
  }));
}
