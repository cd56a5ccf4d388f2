import type { Response } from 'express';
import type { AdminAccess } from '../admin/permissions.js';
import type { CheckoutContext } from '../checkout/context.js';
import type { Order } from '../db/orders.js';
import type { Locale } from '../domain/locale.js';
import type { Translate } from '../locales/translations.js';

/** `res.locals` of every request. The middleware `requestContext` sets it. */
export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly t: Translate;
  /** Number of the order of this request. `logOrderNumber` sets it. */
  order?: string;
  /** User of the back office. `requireSignIn` sets it. */
  admin?: AdminAccess;
}

/** Returns `res.locals` with its type. */
export function contextOf(res: Response): RequestContext {
  return res.locals as RequestContext;
}

/** Returns the checkout context with a log that adds the request id to each line. */
export function checkoutFor(
  { checkout }: { readonly checkout: CheckoutContext },
  res: Response,
): CheckoutContext {
  return { ...checkout, log: checkout.log.with({ requestId: contextOf(res).requestId }) };
}

/** Adds the order number to the log line of the request. */
export function logOrderNumber(res: Response, order: Pick<Order, 'number'>): void {
  contextOf(res).order = order.number;
}
