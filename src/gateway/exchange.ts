/** What is sent to the service, and what was truly seen of it before anything is made of it. */
import type { GatewayCall, GatewayFault } from './gateway-error.js';

export interface Exchange {
  readonly call: GatewayCall;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The id that a reading call is about, as it stands in the address. */
  readonly id?: string;
  /** The attempt's own id, by which the service knows a repetition. */
  readonly idempotency?: { readonly header: string; readonly key: string };
  /** Already serialised, so that what is signed is what is sent. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for everything, from connecting to the last byte. */
  readonly deadlineMs: number;
  /** Uses a connection of its own, so that a broken idle one can never leave it in doubt. */
  readonly freshConnection?: boolean;
  /** Answers with these codes are returned although they are not 2xx. */
  readonly accept?: readonly number[];
}

/** How an exchange ended: with whatever answer, or with none. */
export type Outcome =
  | {
      readonly answer: {
        readonly status: number;
        readonly headers: Readonly<Record<string, unknown>>;
        readonly bytes: Uint8Array;
      };
    }
  | { readonly fault: Pick<GatewayFault, 'code' | 'reason'> };

export interface SeenExchange {
  readonly exchange: Exchange;
  /** Milliseconds since 1970 when it began. */
  readonly at: number;
  /** Milliseconds until its end. */
  readonly ms: number;
  readonly outcome: Outcome;
}

/** Told of every single exchange, retries too. Must not throw, and must not take long. */
export type Witness = (seen: SeenExchange) => void;

/** Starts the watch on an exchange; what comes back tells the witness of its end. */
export function watch(exchange: Exchange, witness: Witness | undefined): (outcome: Outcome) => void {
  if (!witness) return () => undefined;
  const at = Date.now();
  const startedAt = performance.now();
  return (outcome) => witness({ exchange, at, ms: Math.round(performance.now() - startedAt), outcome });
}

/** Reads the bytes of an answer as JSON; throws when they are none, or no proper UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}
