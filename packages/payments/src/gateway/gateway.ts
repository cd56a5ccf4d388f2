import type { PaymentFlow } from '../rules/order.js';
import type { GatewayPayment } from '../rules/payment.js';
import { accessToken, type PaymentRequest, processPayment, readTransaction } from './card-payments.js';
import { type Connection, type GatewaySettings, openConnection } from './connection.js';
import type { GatewayCall } from './errors.js';
import { readSession, type SessionRequest, startSession } from './hosted-sessions.js';
import { type RefundCall, readRefund, refundPayment } from './refunds.js';

export interface KeyEvents {
  /** Called when the gateway starts to refuse the API key, and when it accepts the key again. */
  onKeyChange?(state: 'accepted' | 'refused', call: GatewayCall): void;
}

/** A key may lack the right to refund. The refund shows that. */
const REFUND_CALLS: readonly GatewayCall[] = ['refund-payment', 'read-refund'];

/** A kept token must last while a customer uses it. */
const TOKEN_MARGIN_MS = 60_000;
/** The longest published lifetime of an access token. */
const LONGEST_TOKEN_MS = 30 * 60_000;

type Read = (connection: Connection, gatewayId: string) => Promise<GatewayPayment>;

export type Gateway = ReturnType<typeof createGateway>;

/**
 * Creates a client of the payment gateway. Disposing of it closes its idle connections. Section numbers are those of
 * `docs/gateway-interface.md`. Each call ends before its deadline, retries included. A call throws {@link GatewayError}
 * and nothing else; the exceptions are documented at the function.
 */
export function createGateway(settings: GatewaySettings & KeyEvents) {
  let hasSucceeded = false;
  let kept: { readonly token: string; readonly until: number } | undefined;
  // One kind of call may refuse a key that the others accept. By kind, the state does not alternate.
  const refusedCalls = new Set<GatewayCall>();
  const connection = openConnection({
    ...settings,
    onCall(call, ms, code) {
      const wasRefused = refusedCalls.size > 0;
      if (code === undefined) {
        hasSucceeded = true;
        refusedCalls.delete(call);
      } else if (code === 'unauthorized' && !REFUND_CALLS.includes(call)) refusedCalls.add(call);
      const isRefused = refusedCalls.size > 0;
      if (isRefused !== wasRefused) settings.onKeyChange?.(isRefused ? 'refused' : 'accepted', call);
      settings.onCall?.(call, ms, code);
    },
  });
  // Partial: an adapter of another gateway may have one flow.
  const readers: Partial<Record<PaymentFlow, Read>> = {
    hosted: readSession,
    card: readTransaction,
  };
  return {
    startSession: (request: SessionRequest, now: number) => startSession(connection, request, now),
    processPayment: (request: PaymentRequest) => processPayment(connection, request),
    /** Returns a new token with which a browser may call the tokenizer. Retries. */
    async accessToken(): Promise<string> {
      const { token, lifetimeMs = 0 } = await accessToken(connection);
      const until = performance.now() + Math.min(lifetimeMs, LONGEST_TOKEN_MS) - TOKEN_MARGIN_MS;
      kept = { token, until };
      return token;
    },
    /** Returns the last token while its lifetime lasts, if the gateway's answer stated one. */
    keptAccessToken: () => (kept && performance.now() < kept.until ? kept.token : undefined),
    /** Whether the gateway refuses the API key in a kind of call. */
    isKeyRefused: () => refusedCalls.size > 0,
    /** Whether a call succeeded, so that the gateway knows the API key. */
    hasSucceeded: () => hasSucceeded,
    /** The flows whose payments can be looked up. */
    flows: Object.keys(readers) as readonly PaymentFlow[],
    /** Reads the checkout session or card payment with this id (sections 4.4 and 4.2). Retries. */
    lookUp(flow: PaymentFlow, gatewayId: string): Promise<GatewayPayment> {
      const read = readers[flow];
      if (!read) throw new Error(`the payment flow ${flow} was removed`);
      return read(connection, gatewayId);
    },
    refundPayment: (refund: RefundCall) => refundPayment(connection, refund),
    readRefund: (id: string, refund: RefundCall) => readRefund(connection, id, refund),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
