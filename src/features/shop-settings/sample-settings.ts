import { sampleValues } from '../../content/sample-texts.js';
import { contentPagePath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { groupsOf } from './groups.js';
import { groupPath } from './paths.js';

/** Returns links to what is still of the sample shop: values of the merchant, and pages. */
export function sampleSettings(context: RequestContext) {
  const { t, brand, contentIn, locale, publicPath } = context;
  const names = sampleValues(brand.merchant).map((name) => `brand.merchant.${name}`);
  const settings = groupsOf(context).flatMap((group) =>
    group.settings
      .filter(({ name }) => names.includes(name))
      .map(({ name, label }) => ({ label: label(t), href: `${groupPath(group)}#${name}` })),
  );
  const pages = [...contentIn(locale).values()]
    .filter(({ sample }) => sample !== undefined)
    .map(({ title, slug }) => ({ label: title, href: publicPath(contentPagePath(slug)) }));
  return [...settings, ...pages];
}
