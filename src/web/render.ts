import ejs from 'ejs';
import type { Express, Response } from 'express';
import { countCartPieces } from '../db/carts.js';
import { errorName } from '../domain/error-name.js';
import { localPath } from '../domain/redirect.js';
import { brand } from '../locales/brand.js';
import type { WebContext } from './context.js';
import type { invoicePage } from './pages/invoice-page.js';
import type { orderPage } from './pages/order-page.js';
import type { cartPage, catalogPage, productPage } from './pages/shop-pages.js';
import { checkoutFor, contextOf } from './request-context.js';
import type { FindOrderPage, Layout, ProblemPage } from './view-models.js';

/** Each view with its model. A route may add its own view by declaration merging. */
export interface ViewModels {
  catalog: ReturnType<typeof catalogPage>;
  product: ReturnType<typeof productPage>;
  cart: ReturnType<typeof cartPage>;
  order: ReturnType<typeof orderPage>;
  'find-order': FindOrderPage;
  invoice: ReturnType<typeof invoicePage>;
  problem: ProblemPage;
}

export interface PageOptions<V extends keyof ViewModels> {
  readonly title: string;
  readonly page: ViewModels[V];
  /** Default 200. */
  readonly status?: number;
  readonly refreshSeconds?: number;
  readonly scripts?: readonly string[];
  /** Number of pieces in the cart, if the caller has read it. Otherwise it is counted. */
  readonly cartCount?: number;
  /** Path of this page for GET. Default: the path of the request. */
  readonly path?: string;
}

const LANGUAGE_LABELS = { 'es-MX': 'Español', en: 'English' } as const;

/** Registers EJS. A view receives `layout`, `page`, `t` and `asset` only, never a request or a response. */
export function registerViews(
  app: Express,
  { viewsDirectory, assetUrl }: Pick<WebContext, 'viewsDirectory' | 'assetUrl'>,
): void {
  app.set('views', viewsDirectory);
  app.set('view engine', 'ejs');
  app.enable('view cache');
  app.locals['asset'] = assetUrl;
  // `with` makes templates slow, so views read their model as `it`. With `root`, includes need no file search.
  const options = { cache: true, strict: true, _with: false, localsName: 'it', root: viewsDirectory };
  app.engine('ejs', (path, locals, callback) => {
    const { layout, page, t, asset } = locals as Record<string, unknown>;
    ejs.renderFile(path, { layout, page, t, asset }, options, callback);
  });
}

/** Renders a view inside the layout and sends it. Rejects if the view throws. */
export async function render<V extends keyof ViewModels>(
  web: WebContext,
  res: Response,
  view: V,
  options: PageOptions<V>,
): Promise<void> {
  const layout = await layoutOf(web, res, options);
  const html = await new Promise<string>((resolve, reject) => {
    res.render(view, { layout, page: options.page }, (error: Error | null, text: string) =>
      error ? reject(error) : resolve(text),
    );
  });
  res.status(options.status ?? 200).send(html);
}

async function layoutOf(
  web: WebContext,
  res: Response,
  options: PageOptions<keyof ViewModels>,
): Promise<Layout> {
  const { locales, simulatorUrl } = web.settings;
  const { locale, admin } = contextOf(res);
  const { title, cartCount, path, scripts = [], refreshSeconds } = options;
  return {
    lang: locale,
    locales: locales.map((code) => ({
      code,
      label: LANGUAGE_LABELS[code],
      current: code === locale,
    })),
    title,
    brandColor: web.brandColor,
    decorated: brand.decoration,
    cartCount: cartCount ?? (await countPieces(web, res)),
    path: path ?? localPath(res.req.path),
    scripts: ['/forms.js', ...scripts],
    refreshSeconds,
    simulatorUrl,
    admin,
  };
}

/** The cart count of the header. A database fault is logged and counts as 0, so that the page is still sent. */
async function countPieces(web: WebContext, res: Response): Promise<number> {
  const cartId = res.req.session?.cartId;
  if (!cartId) return 0;
  try {
    return await countCartPieces(web.checkout.db.queries, cartId);
  } catch (error) {
    checkoutFor(web, res).log.error('cart.count_failed', { reason: errorName(error) });
    return 0;
  }
}
