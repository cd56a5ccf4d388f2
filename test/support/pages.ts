/** The pages of a shop, from the routes that exist: those of the features are among them. */
import type { Page } from 'playwright-core';
import { createApp } from '../../src/app.js';
import type { Locale } from '../../src/shop/rules/locale.js';
import { localeOf } from '../../src/web/locale-path.js';
import { MUG } from './catalog.js';
import type { TestShop } from './test-shop.js';

interface Shown {
  readonly token: string;
  readonly number: string;
}

/** Returns the routes of a shop as method and pattern. */
export function routesOf({ context }: Pick<TestShop, 'context'>): readonly string[] {
  return createApp(context.web).router.stack.flatMap(({ route }) => [
    ...new Set((route?.stack ?? []).map(({ method }) => `${method?.toUpperCase()} ${route?.path}`)),
  ]);
}

/** Returns the paths of all pages that the browser may open, with this order, the mug and the user `admin` as their records. */
export async function pagesOf(page: Page, shop: TestShop, order: Shown): Promise<readonly string[]> {
  const values: Readonly<Record<string, string>> = {
    '/products/:slug': '/products/taza-de-talavera',
    '/pages/:slug': '/pages/terms',
    ':token': order.token,
    ':number': order.number,
    ':id': MUG,
    ':name': 'admin',
  };
  const fill = (path: string) =>
    Object.entries(values).reduce((text, [part, value]) => text.replace(part, value), path);
  const paths = routesOf(shop)
    .filter((route) => route.startsWith('GET '))
    .map((route) => fill(route.slice('GET '.length)));
  const opened: string[] = [];
  for (const path of paths.filter((each) => !each.includes(':'))) if (await isPage(page, path)) opened.push(path);
  return opened;
}

/** Returns `pagesOf` without the public pages of other locales. */
export async function pagesIn(locale: Locale, page: Page, shop: TestShop, order: Shown): Promise<readonly string[]> {
  return (await pagesOf(page, shop, order)).filter((path) => isIn(locale, shop, path));
}

const isIn = (locale: Locale, { context }: TestShop, path: string) =>
  [undefined, locale].includes(localeOf(context.web.config.locales, path));

/** Returns pages that the current page links to: one of each route that no path of `opened` has. */
export async function linkedPages(page: Page, shop: TestShop, locale: Locale, opened: readonly string[]) {
  const links = await page
    .locator('main a[href^="/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const routes = routesOf(shop).map((route) => route.replace('GET ', ''));
  const isOf = (route: string, path: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}(?:[?#].*)?$`);
    return pattern.test(path) && (route === path || !routes.includes(path));
  };
  const found = routes
    .filter((route) => !opened.some((path) => isOf(route, path)))
    .flatMap((route) => links.find((link) => isOf(route, link) && isIn(locale, shop, link)) ?? []);
  const arePages = await Promise.all(found.map((path) => isPage(page, path)));
  return found.filter((_, place) => arePages[place]);
}

async function isPage(page: Page, path: string): Promise<boolean> {
  const answer = await page.context().request.get(path, { maxRedirects: 0 });
  return answer.status() === 200 && (answer.headers()['content-type'] ?? '').startsWith('text/html');
}

/** Returns the addresses of the pages about one order that its page in the back office links to. */
export async function pagesBelowOrder(page: Page, { number }: Pick<Shown, 'number'>): Promise<readonly string[]> {
  const path = `/admin/orders/${number}`;
  await page.goto(path);
  const links = await page.locator(`a[href^="${path}/"]`).all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  return [...new Set(addresses.flatMap((address) => address ?? []))];
}
