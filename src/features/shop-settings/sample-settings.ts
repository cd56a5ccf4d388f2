import { sampleValues } from '../../content/sample-texts.js';
import { contentPagePath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { GROUPS } from './groups.js';
import { groupPath } from './paths.js';

/** Returns links to what is still of the sample shop: values of the merchant, and pages. */
export function sampleSettings({ t, brand, contentIn, locale, publicPath }: RequestContext) {
  const names = sampleValues(brand.merchant).map((name) => `brand.merchant.${name}`);
  const settings = GROUPS.flatMap((group) =>
    group.settings
      .filter(({ name }) => names.includes(name))
      .map(({ name, label }) => ({ label: label(t), href: `${groupPath(group)}#${name}` })),
  );
  const pages = [...contentIn(locale).values()]
    .filter(({ sample }) => sample !== undefined)
    .map(({ title, slug }) => ({ label: title, href: publicPath(contentPagePath(slug)) }));
  return [...settings, ...pages];
}
