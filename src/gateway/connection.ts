import type { Witness } from './exchange.js';
import type { GatewayCall, GatewayErrorCode } from './gateway-error.js';
import { createResilience, type Resilience } from './resilience.js';
import { createTransport, type Transport } from './transport.js';

export interface GatewaySettings {
  /** `{base_url}` and `{checkout_api_url}` of interface.md, without a trailing slash. */
  readonly baseUrl: string;
  readonly checkoutApiUrl: string;
  readonly apiKey: string;
  readonly signingSecret?: string;
  /** Where the service's hosted page lives; a session address elsewhere is a bad answer. */
  readonly pageOrigins: readonly string[];
  readonly allowLoopbackHttp: boolean;
  /** Milliseconds for a call and all its retries. */
  readonly deadlines?: Partial<Deadlines>;
  /** Told of each call with all its retries: how many milliseconds it took, and what went wrong with it. */
  readonly onCall?: (call: GatewayCall, ms: number, code?: GatewayErrorCode) => void;
  /** Told of each single exchange as it was. */
  readonly onExchange?: Witness;
}

export interface Deadlines {
  readonly read: number;
  readonly createSession: number;
  readonly processPayment: number;
  readonly accessToken: number;
}

/** A card payment leaves half a second of its page's 25 for what the shop itself writes before and after. */
const DEADLINES: Deadlines = {
  read: 4_000,
  createSession: 8_000,
  processPayment: 24_500,
  accessToken: 5_000,
};

/** What the calls share: settings, sockets, and one breaker for each host. */
export interface Connection extends Disposable {
  readonly settings: GatewaySettings;
  readonly deadlines: Deadlines;
  readonly transport: Transport;
  readonly payments: Resilience;
  readonly checkout: Resilience;
}

/** Prepares to call the service; nothing is sent yet. */
export function openConnection(settings: GatewaySettings): Connection {
  const transport = createTransport(settings.apiKey, settings.onExchange);
  const payments = createResilience();
  return {
    settings,
    transport,
    payments,
    checkout: settings.baseUrl === settings.checkoutApiUrl ? payments : createResilience(),
    deadlines: { ...DEADLINES, ...settings.deadlines },
    [Symbol.dispose]() {
      transport[Symbol.dispose]();
    },
  };
}
