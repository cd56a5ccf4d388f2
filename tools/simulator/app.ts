/** The Express app: control, API, pages, errors. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { apiPaths, apiRoutes } from './api.js';
import { bankPage } from './bank-page.js';
import type { Control } from './control.js';
import { controlRoutes } from './control-routes.js';
import { hostedPage } from './hosted-page.js';
import { assetsFolder, frameOf, loadViews, type Render } from './pages.js';
import { type RefusalReason, refusalBody } from './refusal.js';
import { startPage } from './start-page.js';
import { wirePage } from './wire-page.js';
import type { World } from './world.js';

export function createApp(world: World, control: Control): Express {
  const render = loadViews();
  const app = express();
  app.disable('x-powered-by');
  app.use(dated(world));
  app.use('/_control', controlRoutes(control));
  app.use(apiRoutes(world));
  app.use(pageHeaders);
  app.use('/assets', express.static(assetsFolder, { index: false }));
  app.use(express.urlencoded({ extended: false, limit: '32kb' }), neverStored);
  app.use(startPage(world, control, render), wirePage(world, render));
  app.use(hostedPage(world, render), bankPage(world, render));
  app.use(notFoundPage(render));
  app.use(brokenPage(render));
  return app;
}

/** The Date header follows the simulator's clock. */
function dated(world: World): RequestHandler {
  return (_req, res, next) => {
    res.set('Date', new Date(world.now()).toUTCString());
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

const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

function notFoundPage(render: Render): RequestHandler {
  return (req, res) => {
    const frame = frameOf(req);
    const { notFoundTitle: title, notFoundText: text } = frame.w;
    res.status(404).send(render('message', frame, { title, text, tone: 'calm' }));
  };
}

function brokenPage(render: Render): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const status = statusOf(error);
    if (apiPaths.test(req.path)) {
      res.status(status).json(refusalBody(failure(status), randomUUID()));
      return;
    }
    const frame = frameOf(req);
    const { brokenTitle: title, brokenText: text } = frame.w;
    res.status(status).send(render('message', frame, { title, text, tone: 'bad' }));
  };
}

/** Express errors of the caller (too long, badly encoded) have a status. */
function statusOf(error: unknown): number {
  const status = Object(error).status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function failure(status: number): RefusalReason {
  return status === 500
    ? { status, code: 'internal_error', type: 'server_error', message: 'The simulator failed.' }
    : { status, code: 'malformed_request', type: 'request_error', message: 'Unreadable request.' };
}
