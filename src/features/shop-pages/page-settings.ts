import { pageSetting } from '../../content/content-pages.js';
import type { OwnSettings } from '../../settings/shop-setting.js';
import { languageName } from '../shop-settings/setting-values.js';
import { localPages } from './page-state.js';
import { holdsCard, TEXT_LIMIT } from './read-page-text.js';

/** The stored texts in the history and in the file of settings. A text of a file with another problem is not shown. */
export const pageSettings: OwnSettings = {
  names: (shop) => localPages(shop).map(pageSetting),
  label(t, name, shown) {
    const page = localPages(shown).find((each) => pageSetting(each) === name);
    if (!page) return name;
    const language = languageName(shown, page.locale);
    const label = t('shopPages.page', { title: page.shown.title });
    return language ? `${label} (${language})` : label;
  },
  accepts: (value) => typeof value === 'string' && value.length <= TEXT_LIMIT && !holdsCard(value),
};
