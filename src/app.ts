import { cleanLinks } from '@tianguis/payments';
import compression from 'compression';
import express, { type Express } from 'express';
import { addAdminRoutes, adminRoutesOf } from './admin/admin-routes.js';
import { DECISION_FIELDS } from './admin/order/review-section.js';
import { FEATURES } from './features/index.js';
import { CONTACT_FIELDS } from './shop/rules/contact.js';
import { addRoutes } from './web/add-routes.js';
import { addMethodNotAllowed, addProblemPage, errorResponses, notFound } from './web/error-responses.js';
import { formBody, parseQuery } from './web/form-body.js';
import { publicRouter } from './web/locale-path.js';
import { pageCache } from './web/middleware/page-cache.js';
import { addPrefetchRules, offerPrefetch } from './web/middleware/prefetch.js';
import { refuseCardData, refuseCardDataInUrl } from './web/middleware/refuse-card-data.js';
import { refuseOverload } from './web/middleware/refuse-overload.js';
import {
  redirectTrailingSlash,
  refuseCrossSite,
  refuseMalformed,
  warnUntrustedProxy,
} from './web/middleware/request-checks.js';
import { noStore, securityHeaders } from './web/middleware/security-headers.js';
import { paths } from './web/paths.js';
import { registerViews } from './web/render.js';
import { requestContext, useCurrentSettings } from './web/request-context.js';
import { addCartRoutes } from './web/routes/cart.js';
import { addCatalogRoutes } from './web/routes/catalog.js';
import { addCheckoutRoutes } from './web/routes/checkout.js';
import { addContentPageRoutes } from './web/routes/content-pages.js';
import { addLanguageRoutes } from './web/routes/language.js';
import { addMonitoringRoutes } from './web/routes/monitoring.js';
import { addOrderRoutes } from './web/routes/orders.js';
import { addPaymentRoutes } from './web/routes/payments.js';
import { addProductRoutes } from './web/routes/product.js';
import { customerSession, optionalSession } from './web/session.js';
import { ASSETS_PATH, colorStylesheet, staticFiles } from './web/static-files.js';
import type { WebContext } from './web/web-context.js';

/** Creates the Express app: middleware, routes and error responses, in the order in which they run. */
export function createApp(web: WebContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', web.config.trustProxy);
  app.set('query parser', parseQuery);
  // Browsers match cookie paths case-sensitively: `/CART` would be served without its session.
  app.enable('case sensitive routing');
  registerViews(app, web);

  app.use(securityHeaders(web.config));
  app.use(requestContext(web));
  app.use(warnUntrustedProxy(web));
  app.use(refuseMalformed);
  app.use(redirectTrailingSlash);
  app.use(cleanLinks([paths.orders, ...FEATURES.flatMap((feature) => feature.linkPaths ?? [])]));
  addMonitoringRoutes(app, web);
  for (const feature of FEATURES) addRoutes(app, web, feature.probes?.(web) ?? []);

  // Personal pages are not compressed (BREACH).
  const compress = compression();
  const features = FEATURES.map(({ name }) => name);
  app.use(ASSETS_PATH, compress, colorStylesheet, staticFiles(web, features));
  app.use(refuseCardDataInUrl);
  app.use(useCurrentSettings(web));
  const cachePage = pageCache(web);
  const pages = publicRouter(app, web.config.locales);
  for (const path of [paths.home, paths.product]) pages.get(path, offerPrefetch);
  for (const path of [paths.home, paths.product, paths.contentPage]) pages.get(path, cachePage, compress);
  addPrefetchRules(app, web.config);

  // Customers return from other sites, by GET or POST, with or without a cookie.
  const session = customerSession(web);
  addPaymentRoutes(app, web, optionalSession(session));

  if (web.config.rateLimit) app.use(refuseOverload(web));
  app.use(refuseCrossSite(web.config.publicUrl));
  const adminRoutes = adminRoutesOf(web);
  app.use(...formBody(adminRoutes));
  const forms = [CONTACT_FIELDS, DECISION_FIELDS, ...FEATURES.flatMap((feature) => feature.forms ?? [])];
  const others = FEATURES.flatMap((feature) => feature.fieldsWithCardCheck ?? []);
  app.use(refuseCardData([...forms.flatMap((fields) => Object.keys(fields)), ...others]));

  addAdminRoutes(app, web, adminRoutes);

  // Cart and checkout need the session store. The other pages also work while it fails.
  app.use([paths.cart, paths.checkout], session);
  app.use(optionalSession(session));
  addCatalogRoutes(pages);
  addProductRoutes(pages);
  addContentPageRoutes(pages);
  addCartRoutes(app, web);
  app.use(paths.checkout, noStore);
  addCheckoutRoutes(app, web);
  addOrderRoutes(app);
  addLanguageRoutes(app, web);
  addProblemPage(app);
  for (const feature of FEATURES) addRoutes(app, web, feature.routes?.(web) ?? []);
  addMethodNotAllowed(app);

  app.use(notFound);
  app.use(errorResponses);
  return app;
}
