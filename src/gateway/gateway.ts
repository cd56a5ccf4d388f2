import type { PaymentFlow } from '../domain/order.js';
import type { GatewayPayment } from '../domain/payment.js';
import { type CardPayments, cardPayments } from './card-payments.js';
import { type GatewaySettings, openConnection } from './connection.js';
import { type HostedSessions, hostedSessions } from './hosted-sessions.js';

/**
 * The client of the payment gateway. Section numbers are those of `docs/gateway-interface.md`.
 * Each call ends before its deadline, retries included. A call throws {@link GatewayError} and nothing else; the
 * exceptions are documented at the method.
 */
export interface Gateway
  extends Omit<HostedSessions, 'readSession'>,
    Omit<CardPayments, 'readTransaction'>,
    Disposable {
  /** Reads the checkout session or card payment with this id (sections 4.4 and 4.2). Retries. */
  lookUp(flow: PaymentFlow, id: string): Promise<GatewayPayment>;
}

type Read = (id: string) => Promise<GatewayPayment>;

/** Creates a client; disposing of it closes its idle connections. */
export function createGateway(settings: GatewaySettings): Gateway {
  const connection = openConnection(settings);
  const { readSession, ...hosted } = hostedSessions(connection);
  const { readTransaction, ...card } = cardPayments(connection);
  // Partial, so that a flow can be removed (docs/adapting.md).
  const readers: Partial<Record<PaymentFlow, Read>> = {
    hosted: readSession,
    card: readTransaction,
  };
  return {
    ...hosted,
    ...card,
    lookUp(flow, id) {
      const read = readers[flow];
      if (!read) throw new Error(`the payment flow ${flow} was removed`);
      return read(id);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
