import { type PaymentObserver, silentPayments } from '../payments/index.js';

/** Rate limits: new carts, checkout (per cart, address and in total), admin sign-in, order links and invoice requests. */
export const LIMITS = [
  'cart',
  'order',
  'cart_address',
  'address',
  'all',
  'admin_address',
  'admin_name',
  'admin_code',
  'admin_queue',
  'uploads',
  'find_address',
  'find_order',
  'find_mailbox',
  'find_all',
  'invoice_address',
  'invoice_order',
  'invoice_all',
] as const;
export type LimitName = (typeof LIMITS)[number];

/** Receives the metrics of the payments and of the pages. */
export interface Observer extends PaymentObserver {
  /** `limit`: one of {@link LIMITS}. */
  limitReached(limit: string): void;
  /** A request ended; `route` is its route class. */
  requestEnded(route: string, status: number, ms: number): void;
  /** A request was refused because the process is overloaded. */
  requestShed(): void;
}

/** For a shop without metrics. */
export const silentObserver: Observer = { ...silentPayments, limitReached() {}, requestEnded() {}, requestShed() {} };
