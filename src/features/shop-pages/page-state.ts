import { type ContentPage, pageSetting } from '../../content/content-pages.js';
import type { LabelContext } from '../../settings/shop-setting.js';
import type { Locale } from '../../shop/rules/locale.js';
import { localePath } from '../../web/locale-path.js';
import { contentPagePath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { languageName } from '../shop-settings/setting-values.js';

/** A page in a locale, which may show the text of another locale. */
export interface LocalPage {
  readonly slug: string;
  readonly locale: Locale;
  readonly shown: ContentPage;
}

/** Returns the pages in all locales, those of one page together. */
export function localPages({ config, contentIn }: Omit<LabelContext, 'locale'>): readonly LocalPage[] {
  const slugs = [...contentIn(config.locales[0]).keys()];
  return slugs.flatMap((slug) =>
    config.locales.flatMap((locale) => {
      const shown = contentIn(locale).get(slug);
      return shown ? [{ slug, locale, shown }] : [];
    }),
  );
}

/** `broken`: the stored text is not shown, because it has a problem. `missing`: the text of another locale is shown. */
function stateOf({ storedSettings }: RequestContext, { locale, slug, shown }: LocalPage) {
  if (shown.replaced && shown.locale === locale) return 'changed';
  if (storedSettings.has(pageSetting({ locale, slug }))) return 'broken';
  if (shown.locale !== locale) return 'missing';
  return shown.sample === undefined ? 'file' : 'sample';
}

/** What list and form show of a page. */
export function pageFacts(context: RequestContext, page: LocalPage) {
  const { t, config } = context;
  const state = stateOf(context, page);
  return {
    title: page.shown.title,
    titleLang: page.shown.locale,
    language: languageName(context, page.locale),
    state: t(`shopPages.states.${state}`),
    isSample: state === 'sample',
    publicHref: localePath(config.locales, page.locale, contentPagePath(page.slug)),
  };
}
