/** Client of the simulator's control interface and its ledger, which is the ground truth of a drill. */
import { exchange } from '../../test/support/http.js';

export type Call = 'create-session' | 'read-session' | 'process' | 'read-transaction';

/** An entry of the simulator's ledger. */
export interface Charge {
  readonly kind: 'session' | 'payment';
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string | null;
  readonly at: number;
}

interface ServiceSession {
  readonly id: string;
  readonly status: string;
  readonly request: { readonly external_id?: string; readonly amount_total: number };
}

interface ServicePayment {
  readonly id: string;
  readonly status: string;
  readonly reference: string;
}

export interface ServiceCall {
  readonly call: Call;
  readonly path: string;
  readonly body: unknown;
}

/** A webhook event with its delivery attempts. */
interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly state: 'waiting' | 'delivered' | 'failed' | 'not-sent';
  readonly payload: { readonly id?: unknown };
}

export interface Strings {
  fault(call: Call, fault: object, times?: number): Promise<void>;
  clearFaults(): Promise<void>;
  /** Returns the number of planned faults that no call has met yet. */
  faultsLeft(): Promise<number>;
  /** Also removes the recorded calls. The ledger stays. */
  reset(): Promise<void>;
  webhooks(mode: 'on' | 'off'): Promise<void>;
  paySession(id: string): Promise<{ readonly kind: string; readonly redirectTo?: string }>;
  forceSession(id: string, status: string, transactionStatus: string): Promise<void>;
  expireSession(id: string): Promise<void>;
  approve(id: string): Promise<void>;
  tokenizeCard(number: string): Promise<Readonly<Record<string, string>>>;
  calls(call: Call): Promise<readonly ServiceCall[]>;
  sessions(): Promise<readonly ServiceSession[]>;
  payments(): Promise<readonly ServicePayment[]>;
  ledger(): Promise<readonly Charge[]>;
  deliveries(): Promise<readonly Delivery[]>;
  sendWebhookAgain(id: string): Promise<void>;
}

/** Creates the client. Operations reject if the simulator refuses them, because then the drill itself is wrong. */
export function stringsOf(simulatorUrl: string): Strings {
  const pull = async <T>(operation: string, body: object = {}): Promise<T> => {
    const reply = await exchange(simulatorUrl, `/_control/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    // Client and simulator are built from the same source, so the response has the operation's type.
    const answer = JSON.parse(reply.text) as { result: T; error?: string };
    if (reply.status !== 200) throw new Error(`the simulator refused ${operation}: ${answer.error}`);
    return answer.result;
  };
  return {
    fault: (call, fault, times) => pull('fault', { call, fault, times }),
    clearFaults: () => pull('clearFaults'),
    async faultsLeft() {
      const planned = await pull<readonly { readonly left: number | null }[]>('faults');
      return planned.reduce((sum, { left }) => sum + (left ?? 0), 0);
    },
    reset: () => pull('reset'),
    webhooks: (mode) => pull('settings', { webhooks: mode }),
    paySession: (id) => pull('paySession', { id }),
    forceSession: (id, status, transactionStatus) => pull('forceSession', { id, status, transactionStatus }),
    expireSession: (id) => pull('expireSession', { id }),
    approve: (id) => pull('approve', { id }),
    tokenizeCard: (number) => pull('tokenizeCard', { number }),
    calls: (call) => pull('calls', { call }),
    sessions: () => pull('sessions'),
    payments: () => pull('payments'),
    ledger: () => pull('ledger'),
    deliveries: () => pull('deliveries'),
    sendWebhookAgain: (id) => pull('sendWebhookAgain', { id }),
  };
}
