/** The shop's side of a payment flow: its form, and how the form starts a payment. */

import type { Started, StartOptions } from '@tianguis/payments';
import type { Attempt, PaymentFlow } from '@tianguis/payments/rules';
import type { RequestHandler, Response } from 'express';
import type { Config } from '../config/config.js';
import type { I18n } from '../locales/i18n.js';
import type { Translate } from '../locales/translations.js';
import type { StartKeys } from '../shop/start-limits.js';
import type { Order } from '../tables/orders.js';
import type { Route } from './route.js';

/** What checkout and payment links need of a payment flow. The payments verify its attempts also without it. */
export interface FlowPages {
  readonly id: PaymentFlow;
  /** Path of its form, after that of the checkout or of a payment link. Empty: the form is on their first page. */
  readonly formPath: '' | `/${PaymentFlow}`;
  /**
   * Its form sends the payment. The page therefore warns of a payment page that is still open, and the limits are read
   * before the order is placed.
   */
  readonly paysAtOnce: boolean;
  /** Views: `pay` ends the form, and `above` stands before it. Both get this flow as `it.flow`. */
  readonly views: { readonly pay: string; readonly above?: string };
  /** Paths of the scripts of its form, below `public/`. */
  readonly scripts: readonly string[];
  texts(t: Translate): FlowTexts;
  /** Returns the origins outside the shop that its scripts call. */
  origins(config: Pick<Config, 'payments'>): readonly string[];
  /** Returns what its views need beside texts and total. `path`: the checkout or the payment link. */
  model?(config: Pick<Config, 'payments'>, path: string): object;
  /** Reads its fields of the posted form. */
  readStart(res: Response): FlowStart | FlowProblem;
  /** Returns the routes that its form needs beside the form's own. */
  routes?(page: PaymentPage): readonly Route[];
  /** A limit for persons who pay an order that they do not own. */
  readonly limitForOthers?: LimitForOthers;
}

interface FlowTexts {
  readonly heading: string;
  /** Chooses this flow on the form of another. */
  readonly choose: string;
  readonly chooseHint?: string;
}

interface FlowStart {
  /** Starts the payment of an order. Throws as the payments do. */
  start(orderId: string, options: StartOptions): Promise<Started<Order>>;
}

interface FlowProblem {
  /** Error message for the fields that only this flow has. */
  readonly problem: string;
}

interface LimitForOthers {
  /** Returns from when on the flow is open to them, in milliseconds since 1970. `Infinity`: never again. */
  from(attempts: readonly Attempt[]): number;
  /** Returns the notice while it is not. */
  text(i18n: I18n, from: number): string;
}

/** A page with forms of payment flows: the checkout, or the payment link of an order. */
export interface PaymentPage {
  /** The path as routes have it. */
  readonly path: string;
  /** Middleware of its routes. */
  readonly load: readonly RequestHandler[];
  /** Returns what a request counts for, or why there is nothing to pay and where the customer goes on. */
  readPayable(res: Response): Promise<Payable | NotPayable>;
}

interface Payable {
  /** Absent without rate limits. */
  readonly keys: StartKeys | undefined;
}

interface NotPayable {
  readonly error: string;
  readonly location: string;
}

/** Returns the path of the page with the form of a flow. `path`: the checkout or the payment link. */
export function formPathOf({ formPath }: Pick<FlowPages, 'formPath'>, path: string): string {
  return `${path}${formPath}`;
}

/** Returns the path to which the form of a flow is posted. */
export function actionOf({ id }: Pick<FlowPages, 'id'>, path: string): string {
  return `${path}/${id}`;
}

/** Returns the model of the form of a flow, for its views. */
export function flowForm(
  { t, config }: I18n & { readonly config: Pick<Config, 'payments'> },
  flow: FlowPages,
  path: string,
) {
  return {
    id: flow.id,
    action: actionOf(flow, path),
    views: flow.views,
    scripts: flow.scripts,
    ...flow.texts(t),
    ...flow.model?.(config, path),
  };
}
