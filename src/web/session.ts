import { errorName } from '@tianguis/payments/rules';
import type { Request, RequestHandler, Response } from 'express';
import session, { type SessionData, Store } from 'express-session';
import type { CheckoutContext } from '../shop/checkout-context.js';
import { orderIdOf, ownershipMarkOf } from '../shop/order-ownership.js';
import { ShopError } from '../shop/rules/shop-error.js';
import type { Order } from '../tables/orders.js';
import { endSession, findSession, putSession } from '../tables/sessions.js';
import { deleteTypedForms } from '../tables/typed-forms.js';
import { contextOf } from './request-context.js';
import type { WebContext } from './web-context.js';

declare module 'express-session' {
  interface SessionData {
    cartId?: string;
    /** The cart was changed after its creation. */
    isCartChanged?: boolean;
    /** Ownership marks of the orders that the customer placed, newest last. */
    orders?: string[];
    /** Forms of this session may be stored. See typed-form.ts. */
    hasTypedForm?: boolean;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 30 * DAY_MS;
/** For sessions without an order whose cart was not changed after its creation. Programs create them in large numbers. */
const UNCHANGED_LIFETIME_MS = 2 * DAY_MS;
/** TTL of the old session id after an order. A second click or a lost response makes the browser send it again. */
const SUPERSEDED_MS = 600_000;
const MAX_ORDERS = 20;

type Done = (error?: unknown) => void;

/** Session store in the database of the shop. */
class DatabaseSessionStore extends Store {
  readonly #checkout: CheckoutContext;
  readonly #lifetimeMs: number;
  /** Id that an unsaved session replaces. */
  readonly #replaced = new WeakMap<object, string>();
  /** Content of each session object at its last write. */
  readonly #written = new WeakMap<object, string>();

  constructor(checkout: CheckoutContext, lifetimeMs: number) {
    super();
    this.#checkout = checkout;
    this.#lifetimeMs = lifetimeMs;
  }

  override get(sid: string, callback: (error: unknown, data?: SessionData | null) => void): void {
    const { db, clock } = this.#checkout;
    findSession(db.queries, sid, clock.now()).then(
      (data) => callback(null, data === undefined ? null : (JSON.parse(data) as SessionData)),
      (error: unknown) => callback(error),
    );
  }

  override set(sid: string, data: SessionData, callback: Done = () => {}): void {
    this.#write(sid, data).then(() => callback(), callback);
  }

  /** Stores the session, then shortens the TTL of the id that it replaces, so one id always works. */
  async #write(sid: string, data: SessionData): Promise<void> {
    // express-session writes a session with a new id again at the end of the request, saved or not.
    // The cookie is left out, because its expiry changes with each request.
    const content = JSON.stringify({ ...data, cookie: undefined });
    if (this.#written.get(data) === content) return;
    const { db, clock } = this.#checkout;
    const now = clock.now();
    const longest = data.orders || data.isCartChanged ? LIFETIME_MS : UNCHANGED_LIFETIME_MS;
    const expiresAt = now + Math.min(this.#lifetimeMs, longest);
    await putSession(db.queries, { sid, data: JSON.stringify(data), expiresAt });
    const replaced = this.#replaced.get(data);
    if (replaced !== undefined) await endSession(db.queries, replaced, now + SUPERSEDED_MS);
    this.#written.set(data, content);
  }

  override destroy(sid: string, callback: Done = () => {}): void {
    endSession(this.#checkout.db.queries, sid, 0).then(() => callback(), callback);
  }

  /**
   * Creates a session with a new id for the same customer, against session fixation.
   * After the save, the old id works for 10 more minutes and does not get the new content.
   */
  override regenerate(req: Request, callback: Done): void {
    const { sessionID } = req;
    // express-session adds `generate` to its store.
    (this as unknown as { generate(req: Request): void }).generate(req);
    this.#replaced.set(req.session, sessionID);
    callback();
  }
}

/** Session middleware for customers. A session is created with the first cart line. */
export function customerSession(web: WebContext): RequestHandler {
  return databaseSession(web, cookieName(web), { path: '/', sameSite: 'lax', maxAge: LIFETIME_MS });
}

function cookieName({ config }: Pick<WebContext, 'config'>): string {
  return config.publicUrl.startsWith('https:') ? '__Host-tianguis' : 'tianguis';
}

/** Returns whether the browser sent the cookie of a session. A browser that keeps no cookies never does. */
export function sentSession(res: Response): boolean {
  const cookies = (res.req.headers.cookie ?? '').split(/;\s*/);
  return cookies.some((cookie) => cookie.startsWith(`${cookieName(contextOf(res))}=`));
}

/** Creates session middleware with its own cookie. Passes `session_unavailable` on if the store fails. */
export function databaseSession(
  { checkout, config, secrets }: WebContext,
  name: string,
  cookie: { readonly path: string; readonly sameSite: 'lax' | 'strict'; readonly maxAge: number },
): RequestHandler {
  const secure = config.publicUrl.startsWith('https:');
  const handler = session({
    name,
    secret: [...secrets.sessionSecrets],
    store: new DatabaseSessionStore(checkout, cookie.maxAge),
    resave: false,
    saveUninitialized: false,
    proxy: secure,
    cookie: { httpOnly: true, secure, ...cookie },
  });
  return (req, res, next) => {
    // The proxy connects over HTTP. `PUBLIC_URL` alone decides whether cookies are `Secure`.
    if (secure) req.headers['x-forwarded-proto'] = 'https';
    handler(req, res, (error?: unknown) => {
      next(error === undefined ? undefined : new ShopError('session_unavailable', { cause: error }));
    });
  };
}

/** For pages that also work without a session. If the store fails, logs the error and continues without one. */
export function optionalSession(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    handler(req, res, (error?: unknown) => {
      if (error !== undefined) contextOf(res).checkout.log.error('session.read_failed', { reason: errorName(error) });
      next();
    });
  };
}

/**
 * Adds the order to the session under a new session id, without the typed forms. All other fields stay. Saves before the
 * response. Nothing changes if the session has the order as its newest, and no typed form. Throws `session_unavailable`.
 */
export async function addOrderToSession(res: Response, order: Order): Promise<void> {
  const { req } = res;
  const { cookie, hasTypedForm, orders = [], ...kept } = req.session;
  const mark = ownershipMarkOf(order);
  if (orders.at(-1) === mark && !hasTypedForm) return;
  if (hasTypedForm) await deleteTypedForms(contextOf(res).checkout.db.queries, req.sessionID);
  await callSession((done) => req.session.regenerate(done));
  const others = orders.filter((each) => orderIdOf(each) !== order.id);
  Object.assign(req.session, kept, { orders: [...others, mark].slice(-MAX_ORDERS) });
  await saveSession(req);
}

/**
 * Stores the id of a new cart in the session before the response. The first change of this cart extends the session.
 * Throws `session_unavailable`.
 */
export async function storeCartId(req: Request, cartId: string | undefined): Promise<void> {
  const { session } = req;
  const isCartChanged = session.cartId === cartId;
  if (cartId === undefined || (isCartChanged && (session.isCartChanged || session.orders))) return;
  session.cartId = cartId;
  session.isCartChanged = isCartChanged;
  await saveSession(req);
}

/** If the save fails, no cookie is sent, so that the browser keeps the id that works. */
export async function saveSession(req: Request): Promise<void> {
  try {
    await callSession((done) => req.session.save(done));
  } catch (error) {
    (req as { session?: unknown }).session = undefined;
    throw error;
  }
}

/** Returns the ownership marks of the orders that this session placed. */
export function ownershipMarks(res: Response): readonly string[] {
  return res.req.session?.orders ?? [];
}

/** Returns whether the session owns the order. */
export function ownsOrder(res: Response, order: Order): boolean {
  return ownershipMarks(res).includes(ownershipMarkOf(order));
}

/** Wraps a callback method of express-session in a promise. Rejects with `session_unavailable`. */
export function callSession(work: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    work((error) => (error ? reject(new ShopError('session_unavailable', { cause: error })) : resolve()));
  });
}
