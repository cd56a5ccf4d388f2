import { type Request, type RequestHandler, type Response, Router } from 'express';
import { decideOrder } from '../../checkout/decide-order.js';
import { settlePayment } from '../../checkout/settle-payment.js';
import { DECISIONS } from '../../core/decision.js';
import { ShopError } from '../../core/shop-error.js';
import { findAttempts } from '../../store/attempts.js';
import { findHistory } from '../../store/history.js';
import {
  findNewestOrders,
  findOrderByNumber,
  findOrderLines,
  findOrdersForPerson,
  type Order,
} from '../../store/orders.js';
import { addressOf, limitTries } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import { contextOf } from '../request-context.js';
import type { WebServices } from '../services.js';
import { DESK_WORDS, type DeskWord, deskOrderPage, deskOrdersPage, deskPath } from './desk-pages.js';
import { type DeskPassword, deskPassword } from './desk-password.js';
import { beginVisit, deskSession, endVisit, requireSignIn, SIGN_IN_PATH } from './desk-session.js';

const MOST_ROWS = 100;
const LONGEST_NOTE = 500;
/** A service's ids are short words; anything else is not worth a call. */
const SERVICE_ID = /^[\w.:-]{1,128}$/;
/** Passwords are guessed by machines: from one address, and from many together. */
const SIGN_IN_LIMITS = [
  { name: 'desk_address', most: 10, seconds: 600, keyOf: addressOf },
  { name: 'desk_all', most: 60, seconds: 600, keyOf: () => 'desk' },
] as const;

/** The merchant's desk under `/admin`: sign-in, orders, and the decisions that only a person can take. */
export function deskRoutes(web: WebServices): Router {
  const router = Router();
  const { adminPassword, sessionSecret } = web.settings;
  if (adminPassword === undefined) return router;
  const password = deskPassword(adminPassword, sessionSecret);
  router.use('/admin', noStore, hidden, deskSession(web));
  router.get(SIGN_IN_PATH, (_req, res) => sendSignIn(web, res));
  router.post(SIGN_IN_PATH, limitTries(web, SIGN_IN_LIMITS), (req, res) =>
    signIn(web, password, { req, res }),
  );
  router.use('/admin', requireSignIn(web, password));
  router.post('/admin/sign-out', async (req, res) => {
    await endVisit(req);
    res.redirect(303, SIGN_IN_PATH);
  });
  router.get('/admin', (req, res) => sendOrders(web, req, res));
  router.get('/admin/orders/:number', (req, res) => sendOrder(web, req, res));
  router.post('/admin/orders/:number/check', (req, res) => check(web, req, res));
  router.post('/admin/orders/:number/decision', (req, res) => decide(web, req, res));
  return router;
}

const hidden: RequestHandler = (_req, res, next) => {
  res.set('X-Robots-Tag', 'noindex');
  next();
};

function sendSignIn(web: WebServices, res: Response, error?: string): Promise<void> {
  const { t } = contextOf(res);
  return web.pages.send(res, {
    view: 'desk-sign-in',
    title: t('desk.signIn.title'),
    status: error === undefined ? 200 : 401,
    path: SIGN_IN_PATH,
    page: error === undefined ? {} : { error },
  });
}

async function signIn(
  web: WebServices,
  password: DeskPassword,
  { req, res }: { readonly req: Request; readonly res: Response },
): Promise<void> {
  const { log, clock } = web.checkout;
  if (!(await password.matches(textOf(req, 'password')))) {
    log.warn('desk_sign_in_refused');
    return sendSignIn(web, res, contextOf(res).t('desk.signIn.wrong'));
  }
  await beginVisit(req, { since: clock.now(), mark: password.mark });
  log.info('desk_sign_in');
  res.redirect(303, '/admin');
}

async function sendOrders(web: WebServices, req: Request, res: Response): Promise<void> {
  const reader = contextOf(res);
  const { queries } = web.checkout.db;
  const { number } = req.query;
  const typed = typeof number === 'string' ? number.trim().toUpperCase().slice(0, 40) : '';
  const found = typed === '' ? undefined : await findOrderByNumber(queries, typed);
  if (found) {
    res.redirect(303, deskPath(found));
    return;
  }
  const orders = {
    waiting: await findOrdersForPerson(queries, MOST_ROWS),
    newest: await findNewestOrders(queries, MOST_ROWS),
  };
  const error = typed === '' ? {} : { error: reader.t('desk.find.none') };
  const page = deskOrdersPage(reader, orders, { value: typed, ...error });
  await web.pages.send(res, { view: 'desk-orders', title: reader.t('desk.title'), page, path: '/admin' });
}

async function orderOf(web: WebServices, req: Request): Promise<Order> {
  const order = await findOrderByNumber(web.checkout.db.queries, String(req.params['number']));
  if (!order) throw new ShopError('not_found');
  return order;
}

async function sendOrder(web: WebServices, req: Request, res: Response): Promise<void> {
  const reader = contextOf(res);
  const { queries } = web.checkout.db;
  const order = await orderOf(web, req);
  const known = {
    order,
    lines: await findOrderLines(queries, order.id),
    attempts: await findAttempts(queries, order.id),
    events: await findHistory(queries, order.id),
  };
  const said = DESK_WORDS.find((word) => word === req.query['said']);
  const title = reader.t('titles.order', { number: order.number });
  const page = deskOrderPage(reader, known, said);
  await web.pages.send(res, { view: 'desk-order', title, page, path: deskPath(order) });
}

async function check(web: WebServices, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, req);
  const { reached } = await settlePayment(web.checkout, order.id, 'merchant');
  answer(res, order, reached ? 'checked' : 'unreachable');
}

async function decide(web: WebServices, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, req);
  const decision = DECISIONS.find((known) => known === textOf(req, 'decision'));
  const serviceId = textOf(req, 'service_id').trim();
  if (!decision || (serviceId !== '' && !SERVICE_ID.test(serviceId))) throw new ShopError('bad_request');
  const outcome = await decideOrder(web.checkout, {
    orderId: order.id,
    decision,
    version: Number(textOf(req, 'version')),
    note: textOf(req, 'note').trim().slice(0, LONGEST_NOTE),
    ...(serviceId !== '' && { serviceId }),
  });
  answer(res, order, outcome.kind);
}

function answer(res: Response, order: Order, said: DeskWord): void {
  res.redirect(303, `${deskPath(order)}?said=${said}`);
}

/** A posted field as text; doubled fields arrive as lists and count as empty. */
function textOf(req: Request, name: string): string {
  const value = (req.body as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
