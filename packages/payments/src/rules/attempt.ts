/** An attempt to pay an order, and what follows from its columns alone. Times are milliseconds since 1970. */
import type { Centavos } from './money.js';
import type { AttemptFlow, AttemptState, IdSource, PaymentFlow } from './order.js';

export interface Attempt {
  /** Also the idempotency key of the call that starts it. */
  readonly id: string;
  readonly orderId: string;
  readonly ordinal: number;
  readonly flow: AttemptFlow;
  readonly state: AttemptState;
  /** 1 while live, else null. A unique index allows one live attempt per order. */
  readonly live: number | null;
  /** Both addresses of the gateway that created it. An attempt is verified only by its own environment. */
  readonly environment: string;
  /** Fingerprint of the API key with which a call for this attempt succeeded last. */
  readonly keyFingerprint: string;
  readonly reference: string;
  readonly amount: Centavos;
  /** What the gateway confirmed as paid, under this attempt's own gateway id and in MXN. Limits the refunds. */
  readonly confirmedAmount: Centavos | null;
  readonly gatewayId: string | null;
  /** Null without a gateway id. */
  readonly idSource: IdSource | null;
  /** The gateway's numbers for its dashboard and its reports. Each answer overwrites them until the attempt is paid. */
  readonly transactionId: string | null;
  readonly paymentId: string | null;
  readonly provider: string | null;
  readonly redirectUrl: string | null;
  /** Until then the payment page is shown to the customer. A payment may arrive later. */
  readonly offerEndsAt: number;
  /** The lease of the caller that starts this attempt at the gateway. */
  readonly leasedUntil: number;
  readonly checkedAt: number;
  /** Time of the worker's next lookup. */
  readonly nextCheckAt: number;
  /** Number of lookups by the worker. */
  readonly checks: number;
  /** The last status returned by the gateway. */
  readonly gatewayStatus: string | null;
  /** When a lookup first found it at the gateway. */
  readonly foundAt: number | null;
  /** When a lookup after the offer first got the answer that the id is unknown. Null: the last answer knew it. */
  readonly notFoundAt: number | null;
  /** When the watch ended although the gateway never ended the attempt. */
  readonly neverCompletedAt: number | null;
  /** When a browser first returned from the bank: its session owns the order, or its address names the attempt. */
  readonly returnedAt: number | null;
  /** When the customer gave up its 3D Secure page for another attempt or order. At most one attempt per order has it. */
  readonly abandonedAt: number | null;
  /** How the customer paid past the gateway: the SAT's code of the form of payment. Null with other flows. */
  readonly method: string | null;
  /** Typed by the admin user who recorded a payment past the gateway. May hold personal data. */
  readonly note: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An attempt with what its last status at the gateway means. Only the gateway's folder knows the words of a status. */
export interface StatedAttempt extends Attempt {
  /** It waits for the customer only. */
  readonly isPlainPending: boolean;
  /** The last try on its open hosted page failed, so that no payment of it is on its way. */
  readonly hasFailedTry: boolean;
  /** The bank declined the last card on its open hosted page. */
  readonly hasDeclinedTry: boolean;
}

/** An attempt through the gateway. */
export type GatewayAttempt = Attempt & { readonly flow: PaymentFlow };

/** An attempt that can be looked up: its id at the gateway is known. */
export type WatchedAttempt = GatewayAttempt & { readonly gatewayId: string; readonly idSource: IdSource };

export function payingAttemptOf(
  { paidAttemptId }: { readonly paidAttemptId: string | null },
  attempts: readonly Attempt[],
): Attempt | undefined {
  return attempts.find(({ id }) => id === paidAttemptId);
}

export function isGatewayAttempt<A extends Attempt>(attempt: A): attempt is A & { readonly flow: PaymentFlow } {
  return attempt.flow !== 'outside';
}

export function hasGatewayId(attempt: Attempt): attempt is WatchedAttempt {
  return isGatewayAttempt(attempt) && attempt.gatewayId !== null && attempt.idSource !== null;
}

/** Returns whether the gateway may still complete an attempt. */
export function hasNotEnded({ state }: Attempt): boolean {
  return state === 'open' || state === 'superseded';
}

/** Returns whether a customer may still pay the attempt. No customer has the address of a session whose answer was lost. */
export function mayBePaid(attempt: Attempt): boolean {
  return hasNotEnded(attempt) && (attempt.flow === 'card' || attempt.redirectUrl !== null);
}

/** Returns whether the gateway's page of the attempt takes a payment now, also if another attempt superseded it. */
export function isOffered(attempt: Attempt, now: number): boolean {
  return attempt.flow === 'hosted' && mayBePaid(attempt) && now < attempt.offerEndsAt;
}

/**
 * Returns whether the lease of an attempt expired before the gateway's response was stored. The attempt may be superseded,
 * because its order was replaced meanwhile.
 */
export function isLeaseExpired(
  { state, gatewayId, leasedUntil }: Pick<Attempt, 'state' | 'gatewayId' | 'leasedUntil'>,
  now: number,
): boolean {
  const isAwaited = state === 'creating' || (state === 'superseded' && gatewayId === null);
  return isAwaited && leasedUntil < now;
}
