/** What the promises of an adapter are tried on: the adapter, and a server of its gateway with levers. */

import type { CardTokens, Centavos, PaymentFlow } from '@tianguis/payments/rules';
import type { GatewaySettings } from '../../../src/gateway/connection.js';
import type { GatewayCall } from '../../../src/gateway/errors.js';
import type { Gateway } from '../../../src/gateway/gateway.js';
import type { hasFailedTry, isDeclinedTry, isPlainPending } from '../../../src/gateway/status.js';
import type { readWebhook } from '../../../src/gateway/webhook-event.js';

/** All that the shop uses of `packages/payments/src/gateway/`. */
export interface Adapter extends Gateway {
  readonly readWebhook: typeof readWebhook;
  readonly isPlainPending: typeof isPlainPending;
  readonly hasFailedTry: typeof hasFailedTry;
  readonly isDeclinedTry: typeof isDeclinedTry;
}

export interface Pair {
  readonly server: FaultyServer;
  /** Opens an adapter for the server. The suite closes it. */
  openAdapter(settings?: Partial<Pick<GatewaySettings, 'apiKey' | 'deadlines'>>): Adapter;
}

/** What is wrong with all answers of the server. It processes the requests, except `refused` and redirected ones. With `oversized` it may. */
export type Flaw =
  /** The connection breaks before the answer. */
  | 'lost'
  /** The connection stays open without an answer. */
  | 'silent'
  /** The gateway's form of an internal error. The body contains the request's credentials and {@link ECHO}. */
  | 'broken'
  /** The gateway's form of an invalid request. The body contains the request's credentials and {@link ECHO}. */
  | 'refused'
  /** A page for people, as a proxy sends it. */
  | 'unreadable'
  /** JSON of 5 MB. */
  | 'oversized'
  /** A status that the gateway's documents do not have. */
  | 'unknown-status'
  /** 150.01 pesos. The suite asks for 150.00. */
  | 'other-amount'
  /** 150.00001 pesos, or 15,000.001 centavos. */
  | 'fraction'
  /** The id of another payment. */
  | 'other-id'
  /** The reference of another payment. Not used if {@link FaultyServer.hasReference} returns false. */
  | 'other-reference'
  /** Id and status only. */
  | 'bare'
  /** A payment page on an origin that the adapter's settings do not allow. */
  | 'foreign-page'
  /** A payment page or bank page with a `javascript:` address. */
  | 'unsafe-page'
  /** A redirect with status 302 to this address. */
  | { readonly redirectTo: string };

export const ECHO = 'words-of-the-answer';

/** A server that acts as the gateway's documents say, until {@link FaultyServer.answerWith} is called. */
export interface FaultyServer extends AsyncDisposable {
  /** Returns whether the answers of this flow contain the reference that the shop sent. */
  hasReference(flow: PaymentFlow): boolean;
  /** Returns tokens of a card that pays at once, is declined, or needs 3D Secure. */
  cardTokens(outcome: 'paid' | 'declined' | 'challenged'): CardTokens;
  /** Pays a checkout session as the customer does on its page. */
  paySession(id: string): void;
  /** Spoils all following answers. */
  answerWith(flaw: Flaw): void;
  /** Returns how often the adapter sent the request of a call. */
  requests(call: GatewayCall): number;
  /** Returns the return URL of the last checkout session or card payment. */
  returnUrl(): string;
  /** Returns how many payments moved money, and the amounts of the refunds. */
  moved(): { readonly payments: number; readonly refunds: readonly Centavos[] };
  /** Returns the parsed body of a webhook event about this payment. */
  eventAbout(id: string): unknown;
}
