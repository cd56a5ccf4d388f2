/** A small shop with payments: hosted page, card payments with 3D Secure, lookups, webhooks and the worker. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as door from '@tianguis/payments';
import { openDatabaseOf } from '@tianguis/payments/database';
import { type Centavos, PaymentError, readCardTokens, toPesosText } from '@tianguis/payments/rules';
import express, { type NextFunction, type Request, type Response } from 'express';
import session from 'express-session';
import * as orders from './orders.js';
import { clientOf, readContact, readText, refuseCrossSite, securityHeaders } from './requests.js';
import { readSettings } from './settings.js';

declare module 'express-session' {
  interface SessionData {
    cart: orders.Cart | undefined;
    contact: orders.Contact;
  }
}

const settings = readSettings(process.env);
const logFault = (error: unknown, event: string) => console.error(event, error instanceof Error && error.name);
const database = openDatabaseOf<orders.Tables>(settings.databaseUrl, { onError: logFault, migrations: [] });
const { queries } = database;
await orders.createTables(database);
const cards = database.limiter({ name: 'card', max: 6, seconds: 60 });
const others = database.limiter({ name: 'other', max: 30, seconds: 60 });
/** Counts a use for a client. Returns the refusal above the limit. */
async function limit(use: 'card' | 'hosted' | 'token' | 'return', client: unknown) {
  const seconds = await (use === 'card' ? cards : others).count(`${use} ${client}`);
  return seconds === undefined ? undefined : ({ kind: 'limited', limit: use, seconds } as const);
}

const payments = door.createPayments<orders.Tables>({
  database,
  log: console,
  settings: settings.settings,
  host: {
    describe: async (_tx, order) => ({ lines: orders.linesOfOrder(order), payer: order }),
    orderPath: ({ token }) => `/orders/${token}`,
    admit: (_order, flow, client) => limit(flow, client),
    // In the transaction that stores the payment: both are stored, or none.
    async applyChange(tx, { before, after, at }) {
      if (after.state !== 'paid' || before.state === 'paid') return;
      await payments.queueJob(tx, { key: `receipt:${after.id}`, orderId: after.id, job: 'receipt', at });
    },
    // Send your mail here. It runs at least once, each time with the same key.
    jobs: { receipt: async ({ number }, { key }) => console.info('receipt.sent', number, key) },
  },
});

const directory = fileURLToPath(new URL('../../../examples/minimal/', import.meta.url));
const app = express().set('trust proxy', settings.trustProxy);
app.set('view engine', 'ejs').set('views', `${directory}views`);
Object.assign(app.locals, { pesos: (amount: Centavos) => `$${toPesosText(amount)} MXN`, seenOf: orders.seenOf });
app.use(securityHeaders(settings));
// Before sessions and body parsers: a return has no cookie, and a webhook is read as bytes.
const mayLookUp = async (req: Request) => !(await limit('return', clientOf(req)));
app.use(door.cleanLinks(['/orders']), payments.routes({ webhookAuth: settings.webhookAuth, mayLookUp }));
app.use(express.static(`${directory}public`));
app.use((_req, res, next) => next(void res.set('Cache-Control', 'no-store')));
app.use(refuseCrossSite(settings));
app.use(session(settings.session), express.urlencoded({ extended: false, limit: '16kb' }));

app.get('/', (req, res) => sendForm(res, 'home', 200, { noCookies: req.query['added'] && !req.headers.cookie }));
app.get('/checkout/card', (_req, res) => sendForm(res, 'card'));
app.post('/checkout/hosted', (req, res) => pay(req, res, 'home', payments.startHosted));
// The browser sends the card to the tokenizer, and only tokens here.
app.post('/checkout/card', (req, res) => {
  const tokens = readCardTokens(req.body ?? {});
  return pay(req, res, 'card', tokens && ((id, options) => payments.startCard(id, tokens, options)));
});

app.post('/cart/items', async (req, res) => {
  const product = orders.PRODUCTS.find(({ id }) => id === req.body?.product_id);
  if (!product) return res.status(404).render('message', { message: 'Este producto no existe.' });
  const cart = await openCart(req);
  const inCart = cart?.quantities[product.id] ?? 0;
  const [typed, wrong] = readText(req.body, 'quantity', /^[1-9]\d?$/, 'Escribe una cantidad de 1 a 99.');
  const isRemoved = req.body.remove === '1';
  const quantity = isRemoved ? 0 : inCart + Number(typed);
  const problem = quantity > 99 ? `El máximo es 99, y ya tienes ${inCart}.` : wrong;
  if (problem && !isRemoved) return sendForm(res, 'home', 422, { typed: { id: product.id, quantity: typed, problem } });
  req.session.cart = await orders.changeCart(queries, cart, product.id, quantity);
  res.redirect(303, req.headers.cookie ? '/' : '/?added=1');
});

app.post('/checkout/card/access-token', async (req, res) => {
  const isRefused = req.body?.refused === '1';
  const access = await payments.accessToken({ isRefused, admit: () => limit('token', clientOf(req)) });
  if (access.kind === 'token') res.json({ access_token: access.token });
  else res.status(access.kind === 'limited' ? 429 : 503).json({ error: access.kind });
});

/** Places the order of the cart and starts its payment. Both are safe to repeat. Without a start the card is missing. */
async function pay(req: Request, res: Response, page: 'home' | 'card', start?: typeof payments.startHosted) {
  const { contact, problems } = readContact(req.body);
  const { cart } = Object.assign(req.session, { contact });
  const problem = start ? '' : 'Escribe los datos de tu tarjeta.';
  if (!start || Object.values(problems).some(Boolean)) return sendForm(res, page, 422, { problems, problem });
  const paid = await orders.findPaid(queries, cart);
  const lines = orders.linesOf(cart);
  if (!cart || paid || lines.length === 0) return res.redirect(303, paid ? `/orders/${paid.token}` : '/');
  const isSeen = [undefined, orders.seenOf(lines)].includes(req.body.seen);
  if (!isSeen) return sendForm(res, page, 409, { problem: 'Tu carrito cambió. Revisa el total antes de pagar.' });
  const payAgain = req.body.pay_again === '1';
  const paying = { contact, flow: page === 'card' ? page : 'hosted', payAgain } as const;
  const placed = await orders.placeOrder(database, payments, cart, paying);
  if (placed.kind === 'confirm_pay_again') return sendForm(res, page, 409, { payAgain: true });
  if (placed.kind === 'show_order') return res.redirect(303, `/orders/${placed.order.token}`);
  return answer(res, page, await start(placed.order.id, { payAgain, passed: clientOf(req) }));
}

function answer(res: Response, page: 'home' | 'card', started: door.Started<orders.Order>) {
  if (started.kind === 'redirect') return res.redirect(302, started.url);
  if (started.kind === 'confirm_pay_again') return sendForm(res, page, 409, { payAgain: true });
  if (started.kind === 'limited') {
    res.set('Retry-After', String(started.seconds));
    const why = started.scope === 'client' ? 'Hiciste muchos intentos.' : 'Hay muchos pagos en este momento.';
    return sendForm(res, page, 429, { problem: `${why} Espera unos minutos.` });
  }
  if (started.kind === 'show_order' || started.kind === 'sold_out' || started.kind === 'not_offered')
    return res.redirect(303, `/orders/${started.order.token}`);
  return started satisfies never;
}

async function openCart({ session }: Request): Promise<orders.Cart | undefined> {
  // Return, webhook and worker have no session, so the cart of a paid order is emptied here.
  if (await orders.findPaid(queries, session.cart)) session.cart = undefined;
  return session.cart;
}

async function sendForm(res: Response, page: 'home' | 'card', status = 200, answer = {}): Promise<void> {
  const lines = orders.linesOf(await openCart(res.req));
  if (page === 'card' && lines.length === 0) return res.redirect(303, '/');
  const cart = { products: orders.PRODUCTS, lines, total: orders.totalOf(lines), tokenizerUrl: settings.tokenizerUrl };
  res.status(status).render(page, { ...cart, contact: res.req.session.contact ?? {}, problems: {}, ...answer });
}

app.get('/orders/:token', async (req, res) => {
  const order = await payments.orders.findByToken(req.params.token);
  if (!order) return res.status(404).render('message', { message: 'Este pedido no existe.' });
  if (door.redirectToClean(res, order.token)) return;
  const [view, isOwner] = [await payments.viewOf(order), req.session.cart?.key === order.cartKey];
  res.render('order', { number: order.number, total: order.total, lines: orders.linesOfOrder(order), view, isOwner });
});
app.get('/orders/:token/status', async (req, res) => {
  const order = await payments.orders.findByToken(req.params.token);
  if (!order) return res.status(404).json({ error: 'not_found' });
  const { state, safeToPayAgain } = await payments.viewOf(order);
  return res.json({ state, safe_to_pay_again: safeToPayAgain });
});

app.use((_req, res) => res.status(404).render('message', { message: 'Esta página no existe.' }));
app.use(async (error: Error & { readonly status?: number }, _req: Request, res: Response, _next: NextFunction) => {
  const payment = error instanceof PaymentError ? error : undefined;
  // An earlier payment has no answer. Only the session of the cart starts its order, so it is the owner's.
  const busy = payment?.orderId && (await orders.findOrder(queries, 'id', payment.orderId));
  if (busy) return res.redirect(303, `/orders/${busy.token}`);
  const { status = payment ? 503 : 500 } = error;
  if (status === 500) logFault(error, 'request.failed');
  const isUnsent = payment?.code === 'gateway_unavailable';
  const message = `No pudimos atender la solicitud.${isUnsent ? ' Con este intento no se cobró nada.' : ''} Inténtalo de nuevo.`;
  return res.status(status).render('message', { message });
});

const server = app.listen(settings.port, settings.host);
await once(server, 'listening');
const worker = payments.startWorker();
console.info('process.started', settings.settings.publicUrl);
await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
// What is in flight is finished. A card payment takes up to 35 s.
setTimeout(() => process.exit(1), 50_000).unref();
server.close();
await Promise.all([once(server, 'close'), worker[Symbol.asyncDispose]()]);
for (const each of [payments, database]) await each[Symbol.asyncDispose]();
