/** The records of the simulated gateway. None has a card number or a CVV. */
import type { CardField, SessionRequest } from './request-schemas.js';

/** How a webhook proves that it comes from the gateway. */
export type WebhookAuth =
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  | { readonly scheme: 'none' };

export type CardOutcome =
  | 'success'
  | 'authorized'
  | 'declined'
  | 'insufficient_funds'
  | 'challenge'
  | 'challenge_declined'
  | 'processing_error';

/** The card data that may be stored. */
export interface CardSummary {
  readonly brand: string;
  readonly last4: string;
  readonly outcome: CardOutcome;
}

/** The bank's question whether the customer confirms a payment. */
export interface Challenge {
  readonly id: string;
  /** Milliseconds by the simulator's clock. */
  readonly expiresAt: number;
}

/** One attempt to pay a session; each has its own payment number. */
export interface Attempt {
  readonly paymentId: number;
  readonly status: 'Pending' | 'Success' | 'Declined' | 'Expired';
  readonly card: CardSummary;
  readonly at: number;
  readonly challenge?: Challenge | undefined;
  readonly decline?: Decline | undefined;
}

export interface Session {
  readonly id: string;
  readonly request: SessionRequest;
  /** Free text, because control may force any state. */
  readonly status: string;
  readonly transactionStatus: string;
  readonly paymentId: number;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly paidAt: number | null;
  readonly attempts: readonly Attempt[];
  readonly idempotencyKey?: string | undefined;
  /** Of the body that created it. */
  readonly fingerprint?: string | undefined;
}

export interface Decline {
  readonly code: string;
  readonly reason: string;
}

export interface Payment {
  readonly id: string;
  readonly paymentId: number;
  readonly transactionId: number;
  readonly status: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string;
  readonly customer: { readonly name: string; readonly email: string };
  readonly returnUrl: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly card: CardSummary;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly challenge?: Challenge | undefined;
  readonly decline?: Decline | undefined;
}

export const refundStatuses = ['Success', 'Pending', 'Failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface Refund {
  readonly id: string;
  readonly originalId: string;
  readonly transactionId: number;
  readonly refundNumber: number;
  readonly status: RefundStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdAt: number;
}

/** The stored response for a repeated `X-Request-Id`, which is the id. */
export interface Replay {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

/** A token is bound to one field. */
export interface CardToken {
  readonly id: string;
  readonly field: CardField;
  readonly card: CardSummary;
  /** The tokens of one card have the same number. */
  readonly set: number;
}

/** A charge of the ledger, against which tests compare the shop's orders. */
export interface Charge {
  readonly kind: 'session' | 'payment';
  readonly id: string;
  readonly paymentId: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string | null;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
}

export interface ReturnedMoney {
  readonly id: string;
  /** The id of the payment's charge. */
  readonly originalId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
}

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
  readonly at: number;
  readonly state: 'waiting' | 'delivered' | 'failed' | 'not-sent';
  /** For each attempt the HTTP status, or why there is none. */
  readonly results: readonly (number | string)[];
}
