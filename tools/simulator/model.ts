/** The records of the simulated gateway. None has a card number or a CVV. */

/** The form of responses: that of the interface, or that of the vendor's public material. */
export type Profile = 'interface' | 'public-docs';

/** What a test card causes. */
export type CardOutcome =
  | 'success'
  | 'authorized'
  | 'declined'
  | 'insufficient_funds'
  | 'challenge'
  | 'challenge_declined'
  | 'processing_error';

export interface CardFace {
  readonly brand: string;
  readonly last4: string;
  readonly outcome: CardOutcome;
}

interface LineItem {
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly product_id?: string | undefined;
}

/** The accepted body of a create-session call. */
export interface SessionRequest {
  readonly customer: { readonly first_name: string; readonly last_name: string; readonly email: string };
  readonly amount_total: number;
  readonly currency: 'MXN';
  readonly line_items: readonly LineItem[];
  readonly external_id?: string | undefined;
  readonly expires_at?: number | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly success_url?: string | undefined;
  readonly return_url?: string | undefined;
  readonly pending_url?: string | undefined;
  readonly ui_config?: Readonly<Record<string, unknown>> | undefined;
  readonly ui_config_version?: string | undefined;
}

type AttemptStatus = 'Pending' | 'Success' | 'Declined' | 'Expired';

/** One try to pay a session; each has its own payment number. */
export interface Attempt {
  readonly paymentId: number;
  readonly status: AttemptStatus;
  readonly card: CardFace;
  readonly at: number;
  readonly challengeId?: string;
  readonly decline?: Decline;
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
  readonly idempotencyKey?: string;
}

export interface Decline {
  readonly code: string;
  readonly reason: string;
}

/** The accepted body of a process call; the card fields are tokens. */
export interface PaymentRequest {
  readonly operation_type: 'payment';
  readonly amount: number;
  readonly currency: 'MXN';
  readonly customer: { readonly name: string; readonly email: string };
  readonly payment_method: { readonly type: string } & CardFields;
  readonly client_reference: string;
  readonly return_url: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Payment {
  readonly id: string;
  readonly paymentId: number;
  readonly transactionId: number;
  readonly status: string;
  /** A forced status is sent as given, in both profiles. */
  readonly forced: boolean;
  readonly amount: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reference: string;
  readonly customer: { readonly name: string; readonly email: string };
  readonly returnUrl: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly card: CardFace;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly challengeId?: string;
  readonly decline?: Decline;
  readonly replay?: Replay;
}

/** The stored response for a repeated `X-Request-Id`. */
export interface Replay {
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
}

/** A 3D Secure challenge of the bank. */
export interface Challenge {
  readonly id: string;
  readonly owner: { readonly kind: 'session' | 'payment'; readonly id: string };
  readonly paymentId: number;
  readonly expiresAt: number;
  readonly answer: 'open' | 'approved' | 'refused' | 'expired';
}

export const cardFieldNames = [
  'card_number',
  'cardholder_name',
  'cvv',
  'expiration_month',
  'expiration_year',
] as const;

export type CardField = (typeof cardFieldNames)[number];
export type CardFields = Readonly<Record<CardField, string>>;

/** A token is bound to one field. */
export interface CardToken {
  readonly id: string;
  readonly field: CardField;
  readonly card: CardFace;
}
