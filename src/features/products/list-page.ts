/** A page of the product list: the parameters of its address, and the fields that choose them. */
import type { Request } from 'express';
import { readPageNumber, readText } from '../../web/form-body.js';
import type { RequestContext } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { LIST_FILTERS, LIST_SORTS, type ListQuery } from './repository.js';

const MAX_SEARCH_LENGTH = 80;

export interface ListPage extends ListQuery {
  readonly page: number;
}

/** Reads the page of the list. A filter or a sort that does not exist is ignored. */
export function readPage(req: Request): ListPage {
  const { q, filter, sort } = req.query;
  return {
    text: readText(q).trim().slice(0, MAX_SEARCH_LENGTH),
    filter: LIST_FILTERS.find((each) => each === filter),
    sort: LIST_SORTS.find((each) => each === sort),
    page: readPageNumber(req),
  };
}

/** Returns the address of a page of the list, or of its form at `base`, with `more` in its query string. */
export function listPath(
  { text, filter, sort, page }: ListPage,
  more: Readonly<Record<string, string>> = {},
  base: string = productsPaths.products,
): string {
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(page > 1 && { page: String(page) }),
    ...more,
  });
  return query.size === 0 ? base : `${base}?${query}`;
}

/** Builds the fields that choose filter and sort. */
export function listChoices({ t, checkout }: RequestContext, { filter, sort }: ListPage) {
  const { lowStock: count } = checkout.config;
  const filters = (['', ...LIST_FILTERS] as const).map((value) => ({
    value,
    label: t(`products.filters.${value || 'all'}`, { count }),
    selected: value === (filter ?? ''),
  }));
  const sorts = (['', ...LIST_SORTS] as const).map((value) => ({
    value,
    label: t(`products.sorts.${value || 'merchant'}`),
    selected: value === (sort ?? ''),
  }));
  return [
    { name: 'filter', label: t('products.filter'), options: filters },
    { name: 'sort', label: t('products.sort'), options: sorts },
  ];
}
