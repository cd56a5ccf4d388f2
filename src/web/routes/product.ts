import type { Request, Response } from 'express';
import { deliveryText } from '../../locales/shipping-text.js';
import type { OfferedProduct } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findFurtherPictures } from '../../tables/pictures.js';
import { findProduct } from '../../tables/products.js';
import { catalogPath } from '../catalog-filters.js';
import type { RefusedForm } from '../form.js';
import { findRefused } from '../form-page.js';
import type { PublicRouter } from '../locale-path.js';
import { contentPagePath, paths, productPath } from '../paths.js';
import { CACHE_CONTROL } from '../public-page.js';
import { render } from '../render.js';
import { contextOf, type RequestContext } from '../request-context.js';
import { fillSlot } from '../slots.js';
import { findVariants, variantLinks } from '../variants.js';

/** A product page shows how many pieces are left up to this number. */
const FEW_LEFT = 5;

/** Pictures to enlarge, and variants that change in place. */
const SCRIPTS = ['/product.js'];

/** Adds `GET /products/:slug`. */
export function addProductRoutes(pages: PublicRouter): void {
  pages.get(paths.product, sendProduct);
}

async function sendProduct(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { clock, db } = i18n.checkout;
  const product = await findProduct(db.queries, 'slug', String(req.params['slug']), clock.now());
  if (!product) throw new ShopError('not_found');
  const refused = await findRefused(res, productPath(product));
  const variants = await findVariants(res, product);
  const soldOut = product.left === 0 ? await fillSlot(res, 'product.sold-out', product) : [];
  const page = { ...(await productPage(i18n, product, variants, refused)), soldOut };
  if (refused) {
    res.set('Cache-Control', 'no-store');
    const { status, errors } = refused;
    const options = { status, hasErrors: errors.length > 0, scripts: SCRIPTS, hasTransitions: true };
    return render(res, 'product', { title: page.name, page, path: page.href, ...options });
  }
  const data = i18n.seo?.productData(res, variants, [...page.breadcrumb, { label: page.name, href: page.href }]);
  res.set('Cache-Control', CACHE_CONTROL);
  return render(res, 'product', {
    title: page.name,
    page: { ...page, data },
    scripts: SCRIPTS,
    hasTransitions: true,
    public: {
      path: productPath(product),
      canonical: productPath(variants[0] ?? product),
      description: i18n.text(product.description),
      image: product.image,
      type: 'product',
    },
  });
}

/** Builds the model of views/product.ejs. `variants` are the products of its group. */
async function productPage(
  i18n: RequestContext,
  product: OfferedProduct,
  variants: readonly OfferedProduct[],
  refused: RefusedForm | undefined,
) {
  const { left, category } = product;
  const isFew = left !== null && left > 0 && left <= FEW_LEFT;
  return {
    product,
    pictures: await findPictures(i18n, product, variants),
    name: i18n.text(product.name),
    href: i18n.publicPath(productPath(product)),
    breadcrumb: [
      { label: i18n.t('site.shop'), href: i18n.publicPath(paths.home) },
      {
        label: i18n.text(category.name),
        href: i18n.publicPath(catalogPath({ text: '', category: category.id })),
      },
    ],
    variants: variantLinks(i18n, product, variants),
    quantity: refused?.typed['quantity'] ?? '1',
    quantityError: refused?.errors.find(({ field }) => field === 'quantity')?.message,
    shipping: deliveryText(i18n, i18n.shipping, product),
    returns: returnsLink(i18n),
    fewLeft: isFew ? i18n.t('product.fewLeft', { count: left }) : undefined,
  };
}

/**
 * Returns the pictures of a product, its own image first. A variant without further pictures has those of its main product.
 */
async function findPictures(
  { checkout }: RequestContext,
  product: OfferedProduct,
  variants: readonly OfferedProduct[],
) {
  const { queries } = checkout.db;
  const own = await findFurtherPictures(queries, product.id);
  const main = variants.find(({ id }) => id === product.variantOf);
  const further = own.length === 0 && main ? await findFurtherPictures(queries, main.id) : own;
  const { image, imageAlt } = product;
  return [{ image, alt: imageAlt }, ...further.filter((each) => each.image !== image)];
}

/** Pages of `content/` about returns. The first that exists is linked. */
const RETURNS_PAGES = ['returns', 'shipping'];

function returnsLink({ contentIn, locale, publicPath }: RequestContext) {
  const pages = contentIn(locale);
  const page = RETURNS_PAGES.map((slug) => pages.get(slug)).find((each) => each !== undefined);
  return page && { title: page.title, href: publicPath(contentPagePath(page.slug)), lang: page.locale };
}
