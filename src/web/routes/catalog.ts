import type { Request, Response } from 'express';
import type { CatalogQuery, Category } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findCategories, findSuggestions } from '../../tables/products.js';
import { PAGE_SIZE, searchCorrected } from '../../tables/search-products.js';
import { catalogPath, correctedText, filterForm, isFiltered, readFilters } from '../catalog-filters.js';
import { readPageNumber, readSearchText } from '../form-body.js';
import type { PublicRouter } from '../locale-path.js';
import { paths } from '../paths.js';
import { CACHE_CONTROL } from '../public-page.js';
import { render } from '../render.js';
import { contextOf, type PageI18n } from '../request-context.js';
import { productCards } from '../variants.js';

const SCRIPTS = ['/catalog.js'];

/** Adds `GET /` with `q`, `category`, `sort`, `available`, `min`, `max` and the page number `page`. */
export function addCatalogRoutes(pages: PublicRouter): void {
  pages.get(paths.home, sendCatalog);
}

async function sendCatalog(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { clock, db } = i18n.checkout;
  const categories = await findCategories(db.queries);
  const category = categories.find(({ id }) => id === req.query['category'])?.id;
  const { typed, ...filters } = readFilters(req);
  const asked = { text: readSearchText(req.query['q']), category, ...filters };
  const page = readPageNumber(req);
  const options = { page, at: clock.now(), locale: i18n.locale };
  const { query, leftOut, products, count } = await searchCorrected(db.queries, asked, options);
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  if (page > pages) throw new ShopError('not_found');
  const isNarrowed = query.text !== '' || category !== undefined || isFiltered(query);
  const heading = isNarrowed ? headingOf(i18n, query, categories) : '';
  const pathOf = (number: number) => i18n.publicPath(catalogPath(query, number));
  const form = filterForm(i18n, query, { ...filters, typed });
  const model = {
    typed: query.text,
    // A catalog with one product, or with one category, has nothing to choose.
    hasSearch: categories.length > 0 && (isNarrowed || count > 1),
    categories: categories.length > 1 ? categoryLinks(i18n, query, categories) : [],
    filters: count > 1 || isFiltered(query) || form.hasErrors ? form : undefined,
    heroImage: i18n.brand.heroImage,
    empty: categories.length === 0,
    cards: await productCards(res, products, query),
    suggestions: count === 0 ? await productCards(res, await findSuggestions(db.queries, clock.now())) : [],
    narrowed: isNarrowed ? { heading, found: i18n.t('catalog.found', { count }) } : undefined,
    corrected: query.text === asked.text ? undefined : correctedText(i18n, asked.text, leftOut),
    pages: pages > 1 ? pageLinks(i18n, page, pages, pathOf) : undefined,
  };
  const title = heading || i18n.t('brand.title');
  res.set('Cache-Control', CACHE_CONTROL);
  const isIndexed = query.text === '' && !isFiltered(query) && !form.hasErrors;
  const place = isIndexed ? { public: { path: catalogPath(query, page) } } : { noindex: true, path: pathOf(page) };
  return render(res, 'catalog', {
    title,
    hasErrors: form.hasErrors,
    hasTransitions: true,
    scripts: SCRIPTS,
    page: model,
    ...place,
  });
}

function headingOf({ text: textOf, t }: PageI18n, { text, category }: CatalogQuery, categories: readonly Category[]) {
  const found = categories.find(({ id }) => id === category);
  const name = found && textOf(found.name);
  if (text === '') return name ?? t('brand.list');
  return name === undefined ? t('catalog.results', { text }) : t('catalog.resultsInCategory', { text, category: name });
}

/**
 * Category links contain the search text and the filters, so that a category narrows the search. The chosen category follows the first
 * link, because a phone shows the beginning of the list.
 */
function categoryLinks(i18n: PageI18n, query: CatalogQuery, categories: readonly Category[]) {
  const link = (label: string, id: string | undefined) => ({
    label,
    href: i18n.publicPath(catalogPath({ ...query, category: id })),
    current: id === query.category,
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
