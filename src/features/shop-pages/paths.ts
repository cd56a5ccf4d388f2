import type { ContentPage } from '../../content/content-pages.js';

export const shopPagesPaths = { list: '/admin/pages', form: '/admin/pages/:locale/:slug' } as const;

export function pageFormPath({ locale, slug }: Pick<ContentPage, 'locale' | 'slug'>): string {
  return `${shopPagesPaths.list}/${locale}/${slug}`;
}
