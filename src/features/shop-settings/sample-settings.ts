import { samplePages, sampleValues } from '../../content/sample-texts.js';
import { localePath } from '../../web/locale-path.js';
import { contentPagePath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { groupsOf } from './groups.js';
import { groupPath } from './paths.js';

/** Returns links to what is still of the sample shop: values of the merchant, and pages. */
export function sampleSettings(context: RequestContext) {
  const { t, brand, config, contentForm } = context;
  const names = sampleValues(brand.merchant).map((name) => `brand.merchant.${name}`);
  const settings = groupsOf(context).flatMap((group) =>
    group.settings
      .filter(({ name }) => names.includes(name))
      .map(({ name, label }) => ({ label: label(t), lang: undefined, href: `${groupPath(group)}#${name}` })),
  );
  const pages = samplePages(context, config.locales).map((page) => ({
    label: page.title,
    lang: page.locale,
    href: contentForm?.path(page) ?? localePath(config.locales, page.locale, contentPagePath(page.slug)),
  }));
  return [...settings, ...pages];
}
