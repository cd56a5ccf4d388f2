import { errorName } from '@tianguis/payments/rules';
import ejs from 'ejs';
import type { Express, Response } from 'express';
import type { Brand } from '../locales/brand.js';
import { brandLinks } from '../locales/brand-links.js';
import { formatsOf } from '../locales/format.js';
import { countPieces, priceCart } from '../shop/rules/cart.js';
import { localPath } from '../shop/rules/local-path.js';
import { pictureHashOf, pictureSrcset } from '../shop/rules/picture.js';
import { findCart } from '../tables/carts.js';
import { closingText } from './closing.js';
import { adminPaths, contentPagePath, paths, productPath } from './paths.js';
import type { PublicPage } from './public-page.js';
import { type AdminAccess, contextOf, localsOf, type RequestContext } from './request-context.js';
import { colorPath } from './static-files.js';
import type { AdminLink, WebContext } from './web-context.js';

export interface PageOptions {
  readonly title: string;
  /** The model of the view: formatted texts and flags. */
  readonly page: object;
  /** Default: 422 with `hasErrors`, otherwise 200. */
  readonly status?: number;
  /** The form of the page shows errors, which the title announces. */
  readonly hasErrors?: boolean;
  /** Refresh interval in seconds. Also works without JavaScript. */
  readonly refreshSeconds?: number;
  /** Paths of the deferred scripts, below `public/`. */
  readonly scripts?: readonly string[];
  /** Opening another such page is animated, unless the customer prefers reduced motion. */
  readonly hasTransitions?: boolean;
  /** Number of pieces in the cart, if the caller has read it. Otherwise it is counted. */
  readonly cartCount?: number;
  /** Path of this page for GET, to which the language form returns. Default: the path of the request. */
  readonly path?: string;
  /** The page shows an order, an error or search results. */
  readonly noindex?: boolean;
  /** Data for search engines, on pages that are the same for all customers. */
  readonly public?: PublicPage;
}

type ViewLocals = Readonly<Record<string, unknown>>;

/** An include of a view of a feature, such as `/notes/views/note`. */
const VIEW_OF_FEATURE = /^\/[a-z\d-]+\/views\//;

/** Registers EJS. A view receives `layout`, `page`, paths and functions that format, never a request or a response. */
export function registerViews(
  app: Express,
  {
    viewsDirectory,
    featuresDirectory,
    assetUrl,
  }: Pick<WebContext, 'viewsDirectory' | 'featuresDirectory' | 'assetUrl'>,
): void {
  app.set('views', [viewsDirectory, featuresDirectory]);
  app.set('view engine', 'ejs');
  app.enable('view cache');
  app.locals['asset'] = assetUrl;
  const includer = (path: string, core: string) => ({
    filename: VIEW_OF_FEATURE.test(path) ? `${featuresDirectory}${path}.ejs` : core,
  });
  // `with` makes templates slow, so views read their model as `it`. With `root`, includes need no file search.
  const options = { cache: true, strict: true, _with: false, localsName: 'it', root: viewsDirectory, includer };
  app.engine('ejs', (path, locals, callback) => {
    const { layout, page, asset, t, text, money, moment, shortMoment, publicPath } = locals as ViewLocals;
    const formats = { t, text, money, moment, shortMoment, publicPath };
    const it = { layout, page, asset, paths, adminPaths, productPath, srcset: pictureSrcset, ...formats };
    ejs.renderFile(path, it, options, callback);
  });
}

/** Returns the icons of tabs and home screens: an uploaded logo, which is a JPEG, or the files of the brand. */
export function iconsOf({ logo, mailLogo }: Pick<Brand, 'logo' | 'mailLogo'>) {
  if (pictureHashOf(logo) !== undefined) return { tab: logo, tabType: 'image/jpeg', touch: logo };
  return { tab: '/favicon.svg', tabType: 'image/svg+xml', touch: mailLogo || undefined };
}

/** Renders a view, such as `cart` or `notes/views/note`, inside the layout and sends it. Rejects if the view throws. */
export async function render(res: Response, view: string, options: PageOptions): Promise<void> {
  const context = contextOf(res);
  const { t, locale, config, brand, brandColor, contentIn, footLinks, seo, publicPath } = context;
  const { text, money, moment, shortMoment } = context;
  const { title, hasErrors, page, refreshSeconds, scripts = [], cartCount } = options;
  const { status = hasErrors ? 422 : 200 } = options;
  const path = options.public ? publicPath(options.public.path) : (options.path ?? localPath(res.req.path));
  const layout = {
    lang: locale,
    /** For the language form in the header, which posts `lang` and `back` to `/language`. */
    locales: config.locales.map((code) => ({
      code,
      label: formatsOf(code).language,
      current: code === locale,
    })),
    title: hasErrors ? t('titles.withErrors', { title }) : title,
    brandColor,
    /** A color in place of that of the stylesheet. */
    colorHref: brand.color === '' ? undefined : colorPath(brand.color),
    logo: brand.logo,
    icons: iconsOf(brand),
    /** Why nothing can be bought now. */
    closing: closingText(context),
    /** Whether pages show the decoration of the brand. */
    decorated: brand.decoration,
    cartCount: cartCount ?? (await readCartCount(res)),
    path,
    home: publicPath(paths.home),
    noindex: options.noindex,
    seo: options.public && seo?.head(res, options.public),
    scripts: ['/forms.js', ...(options.hasTransitions ? ['/transitions.js'] : []), ...scripts],
    hasTransitions: options.hasTransitions,
    refreshSeconds,
    /** Shown as a bar if the simulator is the gateway. */
    simulatorUrl: config.payments.simulatorUrl,
    /** Identity of the merchant, in the footer. */
    merchant: brand.merchant,
    /** Links to WhatsApp and profiles, in the footer. */
    brandLinks: brandLinks(brand),
    footLinks: footLinks.map(({ href, label }) => ({ href, label: label(t) })),
    /** Links in the footer, and those with `header` also in the header. */
    contentPages: [...contentIn(locale).values()].map((content) => ({
      href: publicPath(contentPagePath(content.slug)),
      title: content.title,
      lang: content.locale,
      header: content.header,
    })),
    /** Every pay button has links to both. */
    termsHref: publicPath(contentPagePath('terms')),
    privacyHref: publicPath(contentPagePath('privacy')),
    admin: localsOf(res).admin,
    adminLinks: shownLinks(context, localsOf(res).admin, 'navigation'),
  };
  const html = await new Promise<string>((resolve, reject) => {
    const model = { layout, page, t, text, money, moment, shortMoment, publicPath };
    res.render(view, model, (error: Error | null, rendered: string) => (error ? reject(error) : resolve(rendered)));
  });
  res.status(status).send(html);
}

/** Returns the links that a user of the back office may open. */
export function shownLinks({ t }: RequestContext, admin: AdminAccess | undefined, on: AdminLink['on']) {
  return (admin?.links(on) ?? []).map(({ href, label }) => ({ href, label: label(t) }));
}

/** The cart count of the header: what the cart page shows. A database fault is logged and counts as 0, so that the page is still sent. */
async function readCartCount(res: Response): Promise<number> {
  const cartId = res.req.session?.cartId;
  if (!cartId) return 0;
  const { db, log, clock } = contextOf(res).checkout;
  try {
    const cart = await findCart(db.queries, cartId, clock.now());
    return cart ? countPieces(priceCart(cart)) : 0;
  } catch (error) {
    log.error('cart.count_failed', { reason: errorName(error) });
    return 0;
  }
}
