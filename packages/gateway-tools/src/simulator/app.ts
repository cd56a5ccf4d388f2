/** The Express app: control, API, pages, errors. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { apiPaths, apiRoutes } from './api.js';
import { ApiError, errorBody } from './api-error.js';
import { bankPage } from './bank.js';
import type { Control } from './control.js';
import { controlRoutes } from './control-routes.js';
import { hostedPage } from './hosted-page.js';
import { assetsFolder, registerViews, render } from './render.js';
import { startPage } from './start-page.js';
import type { SimulatorState } from './state.js';
import { wirePage } from './wire-page.js';

export function createApp(state: SimulatorState, control: Control): Express {
  const app = express();
  registerViews(app);
  app.disable('x-powered-by');
  app.use(dateHeader(state));
  app.use('/_control', controlRoutes(control));
  app.use(apiRoutes(state));
  app.use(pageHeaders);
  app.use('/assets', express.static(assetsFolder, { index: false }));
  app.use(express.urlencoded({ extended: false, limit: '32kb' }), noStore);
  app.use(startPage(state, control), wirePage(state));
  app.use(hostedPage(state), bankPage(state));
  app.use((req, res) => {
    res.status(404);
    render(req, res, 'message', ({ t }) => ({
      title: t.notFoundTitle,
      text: t.notFoundText,
      tone: 'neutral',
    }));
  });
  app.use(errorHandler);
  return app;
}

function dateHeader(state: SimulatorState): RequestHandler {
  return (_req, res, next) => {
    res.set('Date', new Date(state.now()).toUTCString());
    next();
  };
}

/** `form-action` allows https and loopback origins, because forms redirect to the shop. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
    },
  },
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
});

const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

const errorHandler: ErrorRequestHandler = (error, req, res, next) => {
  if (res.headersSent) {
    next(error);
    return;
  }
  const status = statusOf(error);
  res.status(status);
  if (apiPaths.test(req.path)) {
    const message = status === 500 ? 'The simulator failed.' : 'The request is not readable.';
    const code = status === 500 ? 'internal_error' : 'malformed_request';
    res.json(errorBody(new ApiError(status, code, message)));
    return;
  }
  render(req, res, 'message', ({ t }) => ({ title: t.failedTitle, text: t.failedText, tone: 'bad' }));
};

/** Express errors of the client (body too large, wrong encoding) have a status. */
function statusOf(error: unknown): number {
  const status = Object(error).status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
