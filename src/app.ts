import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { ShopError } from './core/shop-error.js';
import { addDeskRoutes } from './web/desk/desk-routes.js';
import { errorResponses } from './web/error-responses.js';
import { classesOf, type MessageClasses } from './web/express-classes.js';
import { inStep } from './web/in-step.js';
import { formBody } from './web/middleware/form-body.js';
import { refuseCardData, refuseCardDataInUrl } from './web/middleware/refuse-card-data.js';
import { refuseCrossSite } from './web/middleware/refuse-cross-site.js';
import { requestContext } from './web/middleware/request-context.js';
import { securityHeaders } from './web/middleware/security-headers.js';
import { staticFiles } from './web/middleware/static-files.js';
import { addCartRoutes } from './web/routes/cart.js';
import { addCatalogueRoutes } from './web/routes/catalogue.js';
import { addCheckoutRoutes } from './web/routes/checkout.js';
import { addFindOrderRoutes } from './web/routes/find-order.js';
import { addHealthRoutes } from './web/routes/health.js';
import { addLanguageRoutes } from './web/routes/language.js';
import { addMethodNotAllowed } from './web/routes/method-not-allowed.js';
import { addMetricsRoutes } from './web/routes/metrics.js';
import { addOrderRoutes } from './web/routes/orders.js';
import { addPaymentReturnRoutes } from './web/routes/payment-return.js';
import { addWebhookRoutes } from './web/routes/webhooks.js';
import { sendKept } from './web/send-kept.js';
import type { WebServices } from './web/services.js';
import { optionalSession, shopperSession } from './web/session.js';

const notFound: RequestHandler = (_req, _res, next) => {
  next(new ShopError('not_found'));
};

export interface App {
  readonly serve: RequestListener;
  /** What a server should make its requests and responses of. */
  readonly classes: MessageClasses;
}

/**
 * The shop as one request handler: pages that the visitor before was sent, then middleware in the order a request meets
 * it, then routes, then errors.
 */
export function createApp(web: WebServices, isClosing: () => boolean): App {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', web.settings.trustProxy);
  app.set('query parser', 'simple');

  app.use(inStep);
  app.use(securityHeaders(web.settings));
  app.use(requestContext(web));
  addHealthRoutes(app, web, isClosing);
  addMetricsRoutes(app, web);
  app.use(staticFiles(web.assets));
  app.use(refuseCardDataInUrl);

  // Shoppers come back from other sites, by GET or POST, with or without a cookie.
  addPaymentReturnRoutes(app, web);
  addWebhookRoutes(app, web);

  app.use(inStep);
  app.use(refuseCrossSite(web.settings.publicUrl));
  app.use(formBody());
  app.use(refuseCardData);

  addDeskRoutes(app, web);

  const session = shopperSession(web.settings, {
    db: web.checkout.db,
    clock: web.checkout.clock,
  });
  app.use(inStep);
  app.use(['/cart', '/checkout'], session);
  app.use(optionalSession(session));
  app.use(inStep);
  addCatalogueRoutes(app, web);
  addCartRoutes(app, web);
  addCheckoutRoutes(app, web);
  addFindOrderRoutes(app, web);
  addOrderRoutes(app, web);
  addLanguageRoutes(app, web);
  addMethodNotAllowed(app, web);

  app.use(notFound);
  app.use(errorResponses(web));

  const isSent = sendKept(web);
  return {
    classes: classesOf(app),
    serve(req, res) {
      if (!isSent(req, res)) app(req, res);
    },
  };
}
