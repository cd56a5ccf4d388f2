/** The tables as both databases hold them: text, whole numbers, milliseconds since 1970, centavos. */
import type { Generated } from 'kysely';
import type { Locale } from '../core/catalogue.js';
import type { Centavos } from '../core/money.js';
import type { AttemptKind, AttemptState, AttentionReason, OrderState } from '../core/order.js';

interface CartsTable {
  id: string;
  version: number;
  createdAt: number;
  updatedAt: number;
}

interface CartLinesTable {
  cartId: string;
  productId: string;
  quantity: number;
  seenPrice: Centavos;
  addedAt: number;
}

export interface OrdersTable {
  id: string;
  /** The order's name in the shop, at the service and on the phone. */
  number: string;
  /** The secret part of the order's address. */
  token: string;
  cartId: string;
  cartVersion: number;
  state: OrderState;
  /** Grows with each move; a move is guarded by it. */
  version: number;
  total: Centavos;
  currency: string;
  firstName: string;
  lastName: string;
  email: string;
  locale: Locale;
  /** Why a person has to look at it. */
  attention: AttentionReason | null;
  /** The order that took its place when the shopper changed the cart. */
  supersededBy: string | null;
  paidAttemptId: string | null;
  createdAt: number;
  updatedAt: number;
  paidAt: number | null;
}

/** All of an order by name: a statement that is kept must not find other columns after a migration. */
export const ORDER_COLUMNS = [
  'id',
  'number',
  'token',
  'cartId',
  'cartVersion',
  'state',
  'version',
  'total',
  'currency',
  'firstName',
  'lastName',
  'email',
  'locale',
  'attention',
  'supersededBy',
  'paidAttemptId',
  'createdAt',
  'updatedAt',
  'paidAt',
] as const satisfies readonly (keyof OrdersTable)[];

export interface OrderLinesTable {
  orderId: string;
  position: number;
  productId: string;
  name: string;
  unitPrice: Centavos;
  quantity: number;
}

export interface AttemptsTable {
  /** Also the idempotency key of the call that starts it. */
  id: string;
  orderId: string;
  ordinal: number;
  kind: AttemptKind;
  state: AttemptState;
  /** 1 while live, else null: a unique index keeps one live attempt an order. */
  live: number | null;
  /** Which service it was made at: an attempt of a test service is never settled by the real one. */
  environment: string;
  reference: string;
  amount: Centavos;
  serviceId: string | null;
  redirectUrl: string | null;
  expiresAt: number;
  /** Whoever is calling the service to start this attempt may take until then. */
  claimedUntil: number;
  checkedAt: number;
  /** When the worker looks next, and how often it has. */
  nextCheckAt: number;
  checks: number;
  /** The service's last words on it. */
  words: string | null;
  createdAt: number;
  updatedAt: number;
}

/** All of an attempt by name: a statement that is kept must not find other columns after a migration. */
export const ATTEMPT_COLUMNS = [
  'id',
  'orderId',
  'ordinal',
  'kind',
  'state',
  'live',
  'environment',
  'reference',
  'amount',
  'serviceId',
  'redirectUrl',
  'expiresAt',
  'claimedUntil',
  'checkedAt',
  'nextCheckAt',
  'checks',
  'words',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof AttemptsTable)[];

export interface OrderEventsTable {
  id: Generated<number>;
  orderId: string;
  at: number;
  kind: string;
  /** JSON, free of personal data and secrets. */
  detail: string;
}

interface FulfilmentsTable {
  orderId: string;
  attemptId: string;
  at: number;
}

export interface InboxTable {
  id: Generated<number>;
  /** SHA-256 of the body. */
  hash: string;
  body: string;
  event: string | null;
  /** `unmatched`: nothing of ours was found in time. */
  state: 'new' | 'done' | 'unmatched';
  tries: number;
  copies: number;
  receivedAt: number;
  nextAt: number;
  doneAt: number | null;
}

export interface OutboxTable {
  /** What is to be done for which order; unique, so it is queued once. */
  key: string;
  orderId: string;
  effect: 'receipt' | 'on_paid' | 'order_link';
  tries: number;
  nextAt: number;
  createdAt: number;
  doneAt: number | null;
  /** Name of the last fault, never its message. */
  lastFault: string | null;
}

interface SessionsTable {
  sid: string;
  data: string;
  expiresAt: number;
}

export interface Schema {
  carts: CartsTable;
  cartLines: CartLinesTable;
  orders: OrdersTable;
  orderLines: OrderLinesTable;
  attempts: AttemptsTable;
  orderEvents: OrderEventsTable;
  fulfilments: FulfilmentsTable;
  inbox: InboxTable;
  outbox: OutboxTable;
  sessions: SessionsTable;
}

/** Every table by its name; one that is added does not compile until it is here. */
export const TABLES = Object.keys({
  carts: true,
  cartLines: true,
  orders: true,
  orderLines: true,
  attempts: true,
  orderEvents: true,
  fulfilments: true,
  inbox: true,
  outbox: true,
  sessions: true,
} satisfies Record<keyof Schema, true>) as readonly (keyof Schema)[];
