import type { Request, RequestHandler, Response } from 'express';
import session, { type SessionData, Store } from 'express-session';
import { orderIdOf, ownershipMark } from '../checkout/order-ownership.js';
import type { Clock } from '../checkout/services.js';
import { ShopError } from '../core/shop-error.js';
import type { Database } from '../store/database.js';
import type { Order } from '../store/orders.js';
import { endSession, findSession, putSession } from '../store/sessions.js';
import type { WebSettings } from './services.js';

declare module 'express-session' {
  interface SessionData {
    cartId?: string;
    /** Marks of the orders this shopper placed, newest last. */
    orders?: string[];
  }
}

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
/** How long the id of before an order still finds the cart: a second click comes with it, or an answer was lost. */
const SUPERSEDED_MS = 600_000;
const MAX_ORDERS = 20;

type Done = (error?: unknown) => void;

/** Sessions in the shop's own database. */
class DatabaseSessionStore extends Store {
  readonly #db: SessionParts['db'];
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  /** The id that a session not saved yet takes the place of. */
  readonly #replaced = new WeakMap<object, string>();
  /** What each session held when it was last written. */
  readonly #written = new WeakMap<object, string>();

  constructor({ db, clock }: SessionParts, lifetimeMs: number) {
    super();
    this.#db = db;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  override get(sid: string, callback: (error: unknown, data?: SessionData | null) => void): void {
    findSession(this.#db.queries, sid, this.#clock.now()).then(
      (data) => callback(null, data === undefined ? null : (JSON.parse(data) as SessionData)),
      (error: unknown) => callback(error),
    );
  }

  /** A session that takes the place of another one ends it in the same breath: one of the two always works. */
  override set(sid: string, data: SessionData, callback: Done = () => {}): void {
    // express-session writes a session with a new id once more at the end of the request, saved or not.
    const holds = contentOf(sid, data);
    if (this.#written.get(data) === holds) {
      callback();
      return;
    }
    this.#write(sid, data).then(() => {
      this.#written.set(data, holds);
      callback();
    }, callback);
  }

  async #write(sid: string, data: SessionData): Promise<void> {
    const now = this.#clock.now();
    const session = { sid, data: JSON.stringify(data), expiresAt: now + this.#lifetimeMs };
    const replaced = this.#replaced.get(data);
    if (replaced === undefined) return putSession(this.#db.queries, session);
    await this.#db.transaction(async (queries) => {
      await endSession(queries, replaced, now + SUPERSEDED_MS);
      await putSession(queries, session);
    });
  }

  override destroy(sid: string, callback: Done = () => {}): void {
    endSession(this.#db.queries, sid, 0).then(() => callback(), callback);
  }

  /** A new id for the same shopper; once it is saved the old one lives on for a moment, without what the new one gains. */
  override regenerate(req: Request, callback: Done): void {
    const { sessionID } = req;
    // express-session adds `generate` to every store it is given.
    (this as unknown as { generate(req: Request): void }).generate(req);
    this.#replaced.set(req.session, sessionID);
    callback();
  }
}

/** A session without its cookie, whose end moves on with every look at it. */
function contentOf(sid: string, { cookie: _cookie, ...content }: SessionData): string {
  return JSON.stringify([sid, content]);
}

type SessionSettings = Pick<WebSettings, 'publicUrl' | 'sessionSecret'>;

/** Reads and keeps the shopper's session; who puts nothing in a cart has none. */
export function shopperSession(settings: SessionSettings, parts: SessionParts): RequestHandler {
  const secure = settings.publicUrl.startsWith('https:');
  const name = secure ? '__Host-tianguis' : 'tianguis';
  return databaseSession(settings, {
    ...parts,
    cookie: { name, path: '/', sameSite: 'lax', lifetimeMs: LIFETIME_MS },
  });
}

interface SessionParts {
  readonly db: Pick<Database, 'queries' | 'transaction'>;
  readonly clock: Clock;
}

interface SessionCookie {
  readonly name: string;
  readonly path: string;
  readonly sameSite: 'lax' | 'strict';
  readonly lifetimeMs: number;
}

/** A session in the shop's own database behind one cookie. */
export function databaseSession(
  settings: SessionSettings,
  { db, clock, cookie }: SessionParts & { readonly cookie: SessionCookie },
): RequestHandler {
  const secure = settings.publicUrl.startsWith('https:');
  const { name, path, sameSite, lifetimeMs } = cookie;
  const handler = session({
    name,
    secret: settings.sessionSecret,
    store: new DatabaseSessionStore({ db, clock }, lifetimeMs),
    resave: false,
    saveUninitialized: false,
    proxy: secure,
    cookie: { httpOnly: true, sameSite, secure, path, maxAge: lifetimeMs },
  });
  return (req, res, next) => {
    // This server speaks plain http to its proxy; whether cookies are Secure is PUBLIC_URL's word and no header's.
    if (secure) req.headers['x-forwarded-proto'] = 'https';
    handler(req, res, (error?: unknown) => {
      next(error === undefined ? undefined : new ShopError('session_unavailable', { cause: error }));
    });
  };
}

/** For pages that are true without a session too: a failing store makes the visitor a stranger, not an error. */
export function optionalSession(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    handler(req, res, () => next());
  };
}

/** Makes an order the shopper's own, under a new session id, and keeps that before anything else is answered. */
export async function ownOrder(req: Request, order: Order): Promise<void> {
  const { cartId, orders = [] } = req.session;
  await settleSession((done) => req.session.regenerate(done));
  if (cartId !== undefined) req.session.cartId = cartId;
  const others = orders.filter((mark) => orderIdOf(mark) !== order.id);
  req.session.orders = [...others, ownershipMark(order)].slice(-MAX_ORDERS);
  await saveOrForget(req);
}

/** Keeps a new cart's id before the answer that depends on it; no cart leaves no session. */
export async function keepCart(req: Request, cartId: string | undefined): Promise<void> {
  if (cartId === undefined || req.session.cartId === cartId) return;
  req.session.cartId = cartId;
  await saveOrForget(req);
}

/** Saves the session; one that could not be saved sends no cookie, so that the visitor keeps the one that works. */
async function saveOrForget(req: Request): Promise<void> {
  try {
    await settleSession((done) => req.session.save(done));
  } catch (error) {
    (req as { session?: unknown }).session = undefined;
    throw error;
  }
}

/** Marks of the orders that this shopper's session placed. */
export function ownOrders(res: Response): readonly string[] {
  return res.req.session?.orders ?? [];
}

/** Waits for a session to be changed; a store that fails is a fault with a page of its own. */
export function settleSession(work: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    work((error) => (error ? reject(new ShopError('session_unavailable', { cause: error })) : resolve()));
  });
}
