import { type PaymentObserver, silentPayments } from '@tianguis/payments/operations';

/** Rate limits of the core: new carts, checkout (per cart, address and in total) and sign-in. Features have others. */
export const LIMITS = [
  'cart',
  'order',
  'cart_address',
  'address',
  'all',
  'admin_address',
  'admin_name',
  'admin_queue',
] as const;

/** Receives the metrics of the payments and of the pages. */
export interface Observer extends PaymentObserver {
  /** `limit`: one of {@link LIMITS}, or of the limits of a feature. */
  limitReached(limit: string): void;
  /** A request ended; `route` is its route class. */
  requestEnded(route: string, status: number, ms: number): void;
  /** A request was refused because the process is overloaded. */
  requestShed(): void;
}

/** For a shop without metrics. */
export const silentObserver: Observer = { ...silentPayments, limitReached() {}, requestEnded() {}, requestShed() {} };
