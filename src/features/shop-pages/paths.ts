import type { ContentPage } from '../../content/content-pages.js';
import { pathTo } from '../../web/paths.js';

export const shopPagesPaths = { list: '/admin/pages', form: '/admin/pages/:locale/:slug' } as const;

export function pageFormPath(page: Pick<ContentPage, 'locale' | 'slug'>): string {
  return pathTo(shopPagesPaths.form, page);
}
