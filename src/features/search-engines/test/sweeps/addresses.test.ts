import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../../test/support/browser.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { brand } from '../../../../locales/brand.js';
import { LOCALES } from '../../../../shop/rules/locales.js';

const shop = await openFileShop();

/** Reads the head of an address as a search engine does, with the parsers of the browser. */
const readHead = (address: string) => `(async () => {
  const answer = await fetch(${JSON.stringify(address)});
  const document = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const attribute = (selector, name) => document.querySelector(selector)?.getAttribute(name);
  const alternates = [...document.querySelectorAll('link[rel=alternate]')];
  const properties = [...document.querySelectorAll('meta[property]')];
  return {
    canonical: attribute('link[rel=canonical]', 'href'),
    description: attribute('meta[name=description]', 'content'),
    alternates: Object.fromEntries(alternates.map((link) => [link.hreflang, link.href])),
    og: Object.fromEntries(properties.map((meta) => [meta.getAttribute('property'), meta.content])),
    data: [...document.querySelectorAll('script[type="application/ld+json"]')].flatMap((block) => JSON.parse(block.textContent)),
  };
})()`;

interface Head {
  readonly canonical: string;
  readonly description: string;
  readonly alternates: Readonly<Record<string, string>>;
  readonly og: Readonly<Record<string, string>>;
  readonly data: readonly object[];
}

test('every address of the sitemap has a canonical address, alternates that point back, a preview, and valid data', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await page.goto('/');
  const addresses = (await page.evaluate(`(async () => {
    const text = await (await fetch('/sitemap.xml')).text();
    const sitemap = new DOMParser().parseFromString(text, 'application/xml');
    if (sitemap.querySelector('parsererror')) throw new Error(sitemap.documentElement.textContent);
    return [...sitemap.querySelectorAll('loc')].map((place) => place.textContent);
  })()`)) as readonly string[];
  expect(addresses).toEqual(
    expect.arrayContaining([`${shop.url}/`, ...LOCALES.slice(1).map((locale) => `${shop.url}/${locale}`)]),
  );
  const heads = new Map<string, Head>();

  for (const address of addresses.filter((each) => !/products\/[h-z]/.test(each))) {
    heads.set(address, await page.evaluate<Head>(readHead(address)));
  }

  const titles = new Set<string>();
  for (const [address, { canonical, description, alternates, og, data }] of heads) {
    expect(canonical).toBe(address);
    expect(Object.keys(alternates)).toEqual(LOCALES.length > 1 ? [...LOCALES, 'x-default'] : []);
    if (LOCALES.length > 1) expect(Object.values(alternates)).toContain(address);
    for (const other of Object.values(alternates)) expect(heads.get(other)?.alternates).toEqual(alternates);
    expect(description.length).toBeGreaterThan(20);
    expect(og).toMatchObject({ 'og:url': address, 'og:description': description });
    titles.add(String(og['og:title']));
    const image = og['og:image'];
    // The photos of the sample products are SVG, which link previews do not show.
    expect('og:image' in og).toBe(brand.shareImage !== undefined);
    const picture = image && (await page.context().request.get(image));
    if (picture) {
      expect(picture.status()).toBe(200);
      expect(picture.headers()['content-type']).toMatch(/^image\/(?:png|jpeg)$/);
    }
    if (address.includes('/products/'))
      expect(data).toEqual([
        expect.objectContaining({
          '@type': 'Product',
          offers: expect.objectContaining({
            url: address,
            price: expect.stringMatching(/^\d+\.\d\d$/),
            priceCurrency: 'MXN',
            availability: expect.stringMatching(/^https:\/\/schema\.org\/(?:In|OutOf)Stock$/),
          }),
        }),
        expect.objectContaining({ '@type': 'BreadcrumbList' }),
      ]);
  }
  expect(titles.size).toBe(heads.size);
});
