/** Order and filters of the catalog: parameters of its address, fields of its form, and what can be removed. */

import { type Centavos, hasForeignSeparators, readAmount } from '@tianguis/payments/rules';
import type { Request } from 'express';
import type { I18n } from '../locales/i18n.js';
import { CATALOG_SORTS, type CatalogQuery } from '../shop/rules/product.js';
import { readText } from './form-body.js';
import { paths } from './paths.js';
import type { PageI18n } from './request-context.js';

/** Sort and filters of an address, and the prices as typed. */
export interface CatalogFilters extends Pick<CatalogQuery, 'sort' | 'isAvailable' | 'min' | 'max'> {
  readonly typed: Readonly<Record<'min' | 'max', string>>;
}

/** Reads the filters. An amount that is not valid filters nothing. */
export function readFilters({ query }: Request): CatalogFilters {
  const typed = { min: readText(query['min']).trim(), max: readText(query['max']).trim() };
  return {
    sort: CATALOG_SORTS.find((each) => each === query['sort']),
    isAvailable: query['available'] === '1' || undefined,
    min: readAmount(typed.min),
    max: readAmount(typed.max),
    typed,
  };
}

/** Returns whether the catalog has another order than the merchant's, or lacks products. */
export function isFiltered({ sort, isAvailable, min, max }: CatalogQuery): boolean {
  return [sort, isAvailable, min, max].some((each) => each !== undefined);
}

/** Returns the path of a catalog page. It is `/` for the first page of everything. */
export function catalogPath({ text, category, sort, isAvailable, min, max }: CatalogQuery, page = 1): string {
  const parameters = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(category && { category }),
    ...(sort && { sort }),
    ...(isAvailable && { available: '1' }),
    ...(min !== undefined && { min: pesosOf(min) }),
    ...(max !== undefined && { max: pesosOf(max) }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? paths.home : `${paths.home}?${parameters}`;
}

/** `25000` → `250`, `25050` → `250.5`. */
function pesosOf(amount: Centavos): string {
  return String(amount / 100);
}

/** Returns what the search shows in place of the typed text. */
export function correctedText({ t }: I18n, text: string, leftOut: readonly string[]): string {
  if (leftOut.length === 0) return t('catalog.corrected', { text });
  return t('catalog.withoutWords', { text, words: leftOut.join(' ') });
}

/** Builds the model of views/partials/filters.ejs. */
export function filterForm(i18n: PageI18n, query: CatalogQuery, { typed }: CatalogFilters) {
  const { t } = i18n;
  const sorts = [undefined, ...CATALOG_SORTS].map((value) => ({
    value: value ?? '',
    label: t(`catalog.sorts.${value ?? 'merchant'}`),
    isSelected: value === query.sort,
  }));
  const errors = amountErrors(i18n, query, typed);
  return {
    sorts,
    isAvailable: query.isAvailable,
    amounts: (['min', 'max'] as const).map((name) => ({
      name,
      label: t(`catalog.${name}`),
      value: typed[name],
      error: errors[name],
    })),
    hasErrors: Object.values(errors).some((error) => error !== undefined),
    kept: Object.entries({ q: query.text, category: query.category }).filter(([, value]) => value),
    active: activeFilters(i18n, query),
  };
}

function amountErrors({ t }: PageI18n, { min, max }: CatalogQuery, typed: CatalogFilters['typed']) {
  const errorOf = (text: string, amount: Centavos | undefined) => {
    if (text === '' || amount !== undefined) return undefined;
    return hasForeignSeparators(text) ? t('form.separators') : t('catalog.wrongAmount');
  };
  const isReversed = min !== undefined && max !== undefined && max < min;
  return { min: errorOf(typed.min, min), max: isReversed ? t('catalog.wrongRange') : errorOf(typed.max, max) };
}

/** Builds the links that remove one filter each. */
function activeFilters({ t, money, publicPath }: PageI18n, query: CatalogQuery) {
  const { sort, isAvailable, min, max } = query;
  const labels = {
    sort: sort && t(`catalog.sorts.${sort}`),
    isAvailable: isAvailable && t('catalog.available'),
    min: min !== undefined && t('catalog.fromPrice', { price: money(min) }),
    max: max !== undefined && t('catalog.toPrice', { price: money(max) }),
  };
  return Object.entries(labels).flatMap(([name, label]) =>
    label ? [{ label, href: publicPath(catalogPath({ ...query, [name]: undefined })) }] : [],
  );
}
