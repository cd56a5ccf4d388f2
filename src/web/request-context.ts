import type { Response } from 'express';
import type { CheckoutServices } from '../checkout/services.js';
import type { Locale } from '../core/catalogue.js';
import type { Order } from '../store/orders.js';
import type { Translate } from '../words/translations.js';

/** What is known about a request from its first moment on. */
export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly t: Translate;
  /** The number of the order that the request turned out to be about. */
  order?: string;
}

const contexts = new WeakMap<object, RequestContext>();

export function setContext(res: Response, context: RequestContext): void {
  contexts.set(res, context);
}

/** The request's context; set by the first middleware, so every route has it. */
export function contextOf(res: Response): RequestContext {
  const context = contexts.get(res);
  if (!context) throw new Error('the request has no context yet');
  return context;
}

/** The services for a flow that this request starts: every line of its log names the request. */
export function flowServices(
  { checkout }: { readonly checkout: CheckoutServices },
  res: Response,
): CheckoutServices {
  return { ...checkout, log: checkout.log.with({ requestId: contextOf(res).requestId }) };
}

/** Lets the request's own line in the log name its order. */
export function nameOrder(res: Response, order: Pick<Order, 'number'>): void {
  contextOf(res).order = order.number;
}
