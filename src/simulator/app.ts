/** Everything that the simulator answers, in reading order. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { apiRoutes } from './api-routes.js';
import { bankPage } from './bank-page.js';
import type { Control } from './control.js';
import { controlRoutes } from './control-routes.js';
import { frameOf } from './frame.js';
import { hostedPage } from './hosted-page.js';
import { refusalBody } from './refusal.js';
import { startPage } from './start-page.js';
import { assetsFolder, loadViews, type Render } from './views.js';
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

/** A service whose clock is ahead says so in every answer. */
function dated(world: World): RequestHandler {
  return (_req, res, next) => {
    res.set('Date', new Date(world.now()).toUTCString());
    next();
  };
}

/** Forms end in a redirect to the shop, wherever that is; nothing else leaves these pages. */
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
  // biome-ignore lint/complexity/useMaxParams: Express knows an error handler by its four parameters.
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const status = statusOf(error);
    if (/^\/(api|checkout|vault)\/v1\//.test(req.path)) {
      res.status(status).json(refusalBody(failure(status), randomUUID()));
      return;
    }
    const frame = frameOf(req);
    const { brokenTitle: title, brokenText: text } = frame.w;
    res.status(status).send(render('message', frame, { title, text, tone: 'bad' }));
  };
}

/** Express marks what the caller did wrong (too long, badly encoded) with a status. */
function statusOf(error: unknown): number {
  const status = Object(error).status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function failure(status: number) {
  if (status === 500) {
    return {
      status,
      code: 'internal_error',
      type: 'server_error',
      message: 'The simulator failed.',
    } as const;
  }
  return {
    status,
    code: 'malformed_request',
    type: 'request_error',
    message: 'Unreadable request.',
  } as const;
}
