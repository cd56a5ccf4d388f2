import { Router } from 'express';
import { findProductBySlug } from '../../core/catalogue.js';
import { ShopError } from '../../core/shop-error.js';
import { cataloguePage, productPage } from '../pages/shop-pages.js';
import { contextOf } from '../request-context.js';
import type { WebServices } from '../services.js';

/** `GET /` and `GET /products/:slug`. */
export function catalogueRoutes({ pages }: WebServices): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    const reader = contextOf(res);
    return pages.send(res, {
      view: 'catalogue',
      title: reader.t('titles.catalogue'),
      page: cataloguePage(reader),
    });
  });
  router.get('/products/:slug', (req, res) => {
    const reader = contextOf(res);
    const product = findProductBySlug(req.params.slug);
    if (!product) throw new ShopError('not_found');
    const page = productPage(reader, product, { quantity: '1' });
    return pages.send(res, { view: 'product', title: page.name, page });
  });
  return router;
}
