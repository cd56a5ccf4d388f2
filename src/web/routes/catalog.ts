import type { Request, Response } from 'express';
import { findFurtherPictures } from '../../db/pictures.js';
import { findCategories, findProduct, findSuggestions, PAGE_SIZE, searchProducts } from '../../db/products.js';
import { brand } from '../../locales/brand.js';
import { deliveryText } from '../../locales/shipping-text.js';
import type { CatalogQuery, Category, OfferedProduct } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { readPageNumber, readText } from '../form-body.js';
import type { PublicRouter } from '../locale-path.js';
import { contentPagePath, paths, productPath } from '../paths.js';
import { render } from '../render.js';
import { contextOf, type PageI18n, type RequestContext } from '../request-context.js';
import { findForm, isAnswer } from '../typed-form.js';
import { findVariants, productCards, variantLinks } from '../variants.js';

/** Browsers may store the page and must revalidate it each time. */
const CACHE_CONTROL = 'private, no-cache';
const LONGEST_SEARCH = 80;
/** A product page shows how many pieces are left up to this number. */
const FEW_LEFT = 5;

/** Adds `GET /` with the filters `q` and `category` and the page number `page`, and `GET /products/:slug`. */
export function addCatalogRoutes(pages: PublicRouter): void {
  pages.get(paths.home, sendCatalog);
  pages.get(paths.product, sendProduct);
}

async function sendCatalog(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { clock, db } = i18n.checkout;
  const categories = await findCategories(db.queries);
  const category = categories.find(({ id }) => id === req.query['category'])?.id;
  const query = { text: readSearchText(req), category };
  const page = readPageNumber(req);
  const { products, count } = await searchProducts(db.queries, query, { page, at: clock.now() });
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  if (page > pages) throw new ShopError('not_found');
  const heading = headingOf(i18n, query, categories);
  const pathOf = (number: number) => i18n.publicPath(catalogPath(query, number));
  const model = {
    typed: query.text,
    // A catalog with one product, or with one category, has nothing to choose.
    hasSearch: categories.length > 0 && (heading !== '' || count > 1),
    categories: categories.length > 1 ? categoryLinks(i18n, query, categories) : [],
    heroImage: brand.heroImage,
    empty: categories.length === 0,
    cards: await productCards(res, products),
    suggestions: count === 0 ? await productCards(res, await findSuggestions(db.queries, clock.now())) : [],
    narrowed: heading === '' ? undefined : { heading, found: i18n.t('catalog.found', { count }) },
    pages: pages > 1 ? pageLinks(i18n, page, pages, pathOf) : undefined,
  };
  const title = heading || i18n.t('brand.title');
  res.set('Cache-Control', CACHE_CONTROL);
  const place =
    query.text === '' ? { public: { path: catalogPath(query, page) } } : { noindex: true, path: pathOf(page) };
  return render(res, 'catalog', { title, page: model, ...place });
}

async function sendProduct(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { clock, db } = i18n.checkout;
  const product = await findProduct(db.queries, 'slug', String(req.params['slug']), clock.now());
  if (!product) throw new ShopError('not_found');
  const answer = isAnswer(req) ? await findForm<ProductAnswer>(res, productPath(product)) : undefined;
  const variants = await findVariants(res, product);
  const page = await productPage(i18n, product, variants, answer);
  if (answer) {
    res.set('Cache-Control', 'no-store');
    return render(res, 'product', { title: page.name, hasErrors: true, page, path: page.href });
  }
  const data = i18n.seo?.productData(res, variants, [...page.breadcrumb, { label: page.name, href: page.href }]);
  res.set('Cache-Control', CACHE_CONTROL);
  return render(res, 'product', {
    title: page.name,
    page: { ...page, data },
    public: {
      path: productPath(product),
      canonical: productPath(variants[0] ?? product),
      description: i18n.text(product.description),
      image: product.image,
      type: 'product',
    },
  });
}

/** Returns the search text. Control characters and more than 80 characters are ignored. */
function readSearchText({ query }: Request): string {
  return readText(query['q'])
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SEARCH);
}

/** Returns the path of a catalog page. It is `/` for the first page without search text and category. */
function catalogPath({ text, category }: CatalogQuery, page = 1): string {
  const parameters = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(category && { category }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? paths.home : `${paths.home}?${parameters}`;
}

function headingOf({ text: textOf, t }: PageI18n, { text, category }: CatalogQuery, categories: readonly Category[]) {
  const found = categories.find(({ id }) => id === category);
  const name = found && textOf(found.name);
  if (text === '') return name ?? '';
  return name === undefined ? t('catalog.results', { text }) : t('catalog.resultsInCategory', { text, category: name });
}

/**
 * Category links contain the search text, so that a category narrows the search. The chosen category follows the first
 * link, because a phone shows the beginning of the list.
 */
function categoryLinks(i18n: PageI18n, { text, category }: CatalogQuery, categories: readonly Category[]) {
  const link = (label: string, id: string | undefined) => ({
    label,
    href: i18n.publicPath(catalogPath({ text, category: id })),
    current: id === category,
  });
  const links = categories.map(({ id, name }) => link(i18n.text(name), id));
  return [
    link(i18n.t('catalog.everything'), undefined),
    ...links.filter(({ current }) => current),
    ...links.filter(({ current }) => !current),
  ];
}

/** Builds the links to the neighboring pages of a list. */
export function pageLinks({ t }: PageI18n, page: number, pages: number, pathOf: (page: number) => string) {
  return {
    label: t('catalog.page', { page, pages }),
    previous: page > 1 ? pathOf(page - 1) : undefined,
    next: page < pages ? pathOf(page + 1) : undefined,
  };
}

/** A quantity that was not accepted, and why. */
export interface ProductAnswer {
  readonly quantity: string;
  readonly error: string;
}

/** Builds the model of views/product.ejs. `variants` are the products of its group. */
async function productPage(
  i18n: RequestContext,
  product: OfferedProduct,
  variants: readonly OfferedProduct[],
  answer?: ProductAnswer,
) {
  const { left, category } = product;
  const isFew = left !== null && left > 0 && left <= FEW_LEFT;
  return {
    product,
    furtherPictures: await findFurtherPictures(i18n.checkout.db.queries, product.id),
    name: i18n.text(product.name),
    href: i18n.publicPath(productPath(product)),
    breadcrumb: [
      { label: i18n.t('site.shop'), href: i18n.publicPath(paths.home) },
      {
        label: i18n.text(category.name),
        href: i18n.publicPath(catalogPath({ text: '', category: category.id })),
      },
    ],
    variants: variantLinks(i18n, product, variants),
    quantity: answer?.quantity ?? '1',
    quantityError: answer?.error,
    shipping: deliveryText(i18n, product),
    returns: returnsLink(i18n),
    fewLeft: isFew ? i18n.t('product.fewLeft', { count: left }) : undefined,
  };
}

/** Pages of `content/` about returns. The first that exists is linked. */
const RETURNS_PAGES = ['returns', 'shipping'];

function returnsLink({ contentIn, locale, publicPath }: RequestContext) {
  const pages = contentIn(locale);
  const page = RETURNS_PAGES.map((slug) => pages.get(slug)).find((each) => each !== undefined);
  return page && { title: page.title, href: publicPath(contentPagePath(page.slug)), lang: page.locale };
}
