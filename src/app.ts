import express, { type Express, type RequestHandler } from 'express';
import { ShopError } from './core/shop-error.js';
import { deskRoutes } from './web/desk/desk-routes.js';
import { errorResponses } from './web/error-responses.js';
import { formBody } from './web/middleware/form-body.js';
import { refuseCardData, refuseCardDataInUrl } from './web/middleware/refuse-card-data.js';
import { refuseCrossSite } from './web/middleware/refuse-cross-site.js';
import { requestContext } from './web/middleware/request-context.js';
import { securityHeaders } from './web/middleware/security-headers.js';
import { sendKept } from './web/middleware/send-kept.js';
import { staticFiles } from './web/middleware/static-files.js';
import { cartRoutes } from './web/routes/cart.js';
import { catalogueRoutes } from './web/routes/catalogue.js';
import { checkoutRoutes } from './web/routes/checkout.js';
import { findOrderRoutes } from './web/routes/find-order.js';
import { healthRoutes } from './web/routes/health.js';
import { languageRoutes } from './web/routes/language.js';
import { methodNotAllowed } from './web/routes/method-not-allowed.js';
import { metricsRoutes } from './web/routes/metrics.js';
import { orderRoutes } from './web/routes/orders.js';
import { paymentReturnRoutes } from './web/routes/payment-return.js';
import { webhookRoutes } from './web/routes/webhooks.js';
import type { WebServices } from './web/services.js';
import { optionalSession, shopperSession } from './web/session.js';

const notFound: RequestHandler = (_req, _res, next) => {
  next(new ShopError('not_found'));
};

/** The shop as one request handler: middleware in the order a request meets it, then routes, then errors. */
export function createApp(web: WebServices, isClosing: () => boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', web.settings.trustProxy);
  app.set('query parser', 'simple');

  app.use(sendKept(web));
  app.use(securityHeaders(web.settings));
  app.use(requestContext(web));
  app.use(healthRoutes(web, isClosing));
  app.use(metricsRoutes(web));
  app.use(staticFiles(web.assets));
  app.use(refuseCardDataInUrl);

  // Shoppers come back from other sites, by GET or POST, with or without a cookie.
  app.use(paymentReturnRoutes(web));
  app.use(webhookRoutes(web));

  app.use(refuseCrossSite(web.settings.publicUrl));
  app.use(formBody());
  app.use(refuseCardData);

  app.use(deskRoutes(web));

  const session = shopperSession(web.settings, {
    db: web.checkout.db,
    clock: web.checkout.clock,
  });
  app.use(['/cart', '/checkout'], session);
  app.use(optionalSession(session));
  app.use(catalogueRoutes(web));
  app.use(cartRoutes(web));
  app.use(checkoutRoutes(web));
  app.use(findOrderRoutes(web));
  app.use(orderRoutes(web));
  app.use(languageRoutes(web));
  app.use(methodNotAllowed(web));

  app.use(notFound);
  app.use(errorResponses(web));
  return app;
}
