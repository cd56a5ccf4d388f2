import { randomUUID } from 'node:crypto';
import { isDatabaseError } from '@tianguis/payments/database';
import { errorName, PaymentError, type PaymentErrorCode } from '@tianguis/payments/rules';
import type { ErrorRequestHandler, Express, IRouter, Request, RequestHandler, Response } from 'express';
import { ShopError, type ShopErrorCode } from '../shop/rules/shop-error.js';
import { readText } from './form-body.js';
import { adminPaths, paths } from './paths.js';
import { render } from './render.js';
import { contextOf, localsOf } from './request-context.js';

type ErrorCode = ShopErrorCode | PaymentErrorCode;

const PATHS = { shop: paths.home, cart: paths.cart, admin: adminPaths.overview } as const;

/** HTTP status and link target for each error code. A code without an entry does not compile. */
const ANSWERS = {
  not_found: { status: 404, way: 'shop' },
  link_replaced: { status: 410, way: 'shop' },
  method_not_allowed: { status: 405, way: 'shop' },
  bad_request: { status: 400, way: 'shop' },
  too_large: { status: 413, way: 'shop' },
  unsupported_type: { status: 415, way: 'shop' },
  cross_site: { status: 403, way: 'shop' },
  forbidden: { status: 403, way: 'admin' },
  admin_not_found: { status: 404, way: 'admin' },
  card_data_refused: { status: 422, way: 'cart' },
  gateway_unavailable: { status: 503, way: 'cart' },
  payment_refused: { status: 502, way: 'cart' },
  busy: { status: 503, way: 'cart' },
  too_many_attempts: { status: 429, way: 'cart' },
  database_unavailable: { status: 503, way: 'cart' },
  session_unavailable: { status: 503, way: 'shop' },
  unexpected: { status: 500, way: 'shop' },
} as const satisfies Record<ErrorCode, { status: number; way: keyof typeof PATHS }>;

const RETRY_AFTER_SECONDS: Readonly<Record<number, string>> = { 429: '60', 503: '5' };
/** The longest window of a limit. */
const LONGEST_WAIT_S = 600;
const ERROR_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Error middleware, mounted last. Sends an error page, logs status 500 and above, and never throws. */
export const errorResponses: ErrorRequestHandler = async (error: unknown, req, res, _next) => {
  // The client closed the connection before the end of its body. Nothing failed, and no client reads an answer.
  if (req.destroyed && !req.complete) {
    res.destroy();
    return;
  }
  const code = toCode(error);
  const { status } = ANSWERS[code];
  const { checkout } = contextOf(res);
  const { orderNumber: order } = localsOf(res);
  const errorId = status >= 500 ? randomUUID() : undefined;
  if (errorId) {
    const fields = { order, errorId, code, method: req.method, reason: errorName(error) };
    checkout.log.error('request.failed', fields);
  }
  // The response is already sent, for example if the session fails to save at the end of the request.
  if (res.headersSent) return;
  try {
    if (isFormOfPage(req)) redirectToProblem(res, code, errorId);
    else await sendProblem(res, code, { errorId });
  } catch (fault) {
    checkout.log.error('error_page.render_failed', { errorId, reason: errorName(fault) });
    if (!res.headersSent) res.status(status).type('text').send(String(status));
  }
};

/** A browser would post the form again after Back or a reload, so it gets the error page by GET. */
function isFormOfPage({ method, headers }: Request): boolean {
  return method === 'POST' && headers['sec-fetch-mode'] === 'navigate';
}

function isAdminPage(res: Response): boolean {
  return res.req.path.startsWith(adminPaths.overview) || localsOf(res).isBackOffice === true;
}

/** The failure counts here: the page may be opened without one. */
function redirectToProblem(res: Response, code: ErrorCode, id: string | undefined): void {
  const { status } = ANSWERS[code];
  if (status >= 500) localsOf(res).failedStatus = status;
  const seconds = res.get('Retry-After');
  // In seconds: a time in milliseconds may pass as a card number.
  const retryAt = seconds && String(Math.floor(contextOf(res).checkout.clock.now() / 1000 + Number(seconds)));
  // The page has it. Here it would delay the redirect.
  res.removeHeader('Retry-After');
  const page = isAdminPage(res) ? adminPaths.problem : paths.problem;
  res.redirect(
    303,
    `${page}?${new URLSearchParams({ code, ...(id && { id }), ...(retryAt && { retry_at: retryAt }) })}`,
  );
}

/** Adds `GET /problem`, the error page of a form that was posted. */
export function addProblemPage(app: IRouter): void {
  app.get(paths.problem, sendPostedProblem);
}

/** Sends the error page of a form that was posted. */
export async function sendPostedProblem({ query }: Request, res: Response): Promise<void> {
  const code = (Object.keys(ANSWERS) as ErrorCode[]).find((each) => each === query['code']);
  if (!code) throw new ShopError('not_found');
  const id = readText(query['id']);
  const seconds = Math.ceil(Number(query['retry_at']) - contextOf(res).checkout.clock.now() / 1000);
  if (seconds <= LONGEST_WAIT_S) res.set('Retry-After', String(Math.max(1, seconds)));
  const { status } = ANSWERS[code];
  // Any client can open this address, and no part of the shop failed.
  await sendProblem(res, code, { errorId: ERROR_ID.test(id) ? id : undefined, status: status < 500 ? status : 200 });
}

interface Problem {
  readonly errorId: string | undefined;
  /** Default: that of the code. */
  readonly status?: number;
}

async function sendProblem(res: Response, code: ErrorCode, { errorId, ...problem }: Problem): Promise<void> {
  const { t, publicPath } = contextOf(res);
  const { way } = ANSWERS[code];
  const { status = ANSWERS[code].status } = problem;
  res.set('Cache-Control', 'no-store');
  const retryAfter = RETRY_AFTER_SECONDS[status];
  if (retryAfter && !res.hasHeader('Retry-After')) res.set('Retry-After', retryAfter);
  if (isOfBackOffice(res, code)) return sendAdminProblem(res, code, { errorId, status });
  await render(res, 'problem', {
    noindex: true,
    // The address may be that of a product.
    hasTransitions: true,
    title: t('titles.problem'),
    status,
    // The URL may hold the refused card number. The page must not repeat it.
    ...(code === 'card_data_refused' && { path: PATHS.shop }),
    page: {
      heading: t(`errors.${code}.heading`),
      text: t(`errors.${code}.text`, { count: Number(res.get('Retry-After')) }),
      actions: [{ label: t(`actions.${way}`), href: publicPath(PATHS[way]) }],
      errorId,
    },
  });
}

/** A signed-in user sees the pages of the back office only, and so does a user who may not sign in for a while. */
function isOfBackOffice(res: Response, code: ErrorCode): boolean {
  if (!isAdminPage(res)) return false;
  const isPosted = res.req.path === adminPaths.problem && code !== 'not_found';
  return isPosted || code === 'too_many_attempts' || localsOf(res).admin !== undefined;
}

/** Codes whose text names no page of the storefront, beside those of the back office. */
const TEXTS_OF_ADMIN: readonly ErrorCode[] = ['card_data_refused', 'too_large'];

async function sendAdminProblem(res: Response, code: ErrorCode, { errorId, status }: Problem): Promise<void> {
  const { t } = contextOf(res);
  const seconds = String(res.getHeader('Retry-After'));
  const hasText = ANSWERS[code].way === 'admin' || TEXTS_OF_ADMIN.includes(code);
  // A change may be stored although its answer failed.
  const other = ANSWERS[code].status >= 500 ? 'text' : 'refused';
  const isWait = code === 'too_many_attempts';
  const [label, href] = localsOf(res).admin
    ? [t('actions.admin'), adminPaths.overview]
    : [t('actions.signIn'), adminPaths.signIn];
  await render(res, 'admin-problem', {
    title: t('titles.problem'),
    status,
    page: {
      heading: t(hasText || isWait ? `errors.${code}.heading` : 'admin.problem.heading'),
      text: hasText ? t(`errors.${code}.text`) : t(`admin.problem.${isWait ? 'wait' : other}`, { seconds }),
      actions: [{ label, href }],
      errorId,
    },
  });
}

/** Body parsers and routers throw errors with a `status`. All other errors are `unexpected`. */
function toCode(error: unknown): ErrorCode {
  if (error instanceof ShopError || error instanceof PaymentError) return error.code;
  if (isDatabaseError(error)) return 'database_unavailable';
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status === 413) return 'too_large';
  if (status === 415) return 'unsupported_type';
  if (status === 404) return 'not_found';
  if (status === 405) return 'method_not_allowed';
  return status >= 400 && status < 500 ? 'bad_request' : 'unexpected';
}

/** Answers 405 with `Allow` on the path of a route that has another method. Call it after all other routes were added. */
export function addMethodNotAllowed(app: Express): void {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { route } of app.router.stack) {
    if (!route || route.path.startsWith(adminPaths.overview)) continue;
    const methods = methodsByPath.get(route.path) ?? new Set();
    // A handler without a method serves all methods and decides nothing.
    for (const { method } of route.stack) if (method) methods.add(method.toUpperCase());
    methodsByPath.set(route.path, methods);
  }
  for (const [path, methods] of methodsByPath) {
    const allowed = (methods.has('GET') ? [...methods, 'HEAD'] : [...methods]).sort((a, b) => a.localeCompare(b));
    app.all(path, (req, res, next) => {
      // The route passed the request on: it is not found.
      if (allowed.includes(req.method)) return next();
      res.set('Allow', allowed.join(', '));
      next(new ShopError('method_not_allowed'));
    });
  }
}

export const notFound: RequestHandler = (_req, _res, next) => {
  next(new ShopError('not_found'));
};
