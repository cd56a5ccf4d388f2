/** Checkout sessions of the hosted page (interface, sections 2.4, 4.3 and 4.4). Amounts are integer centavos. */
import { z } from 'zod';
import { type Centavos, CURRENCY, centavos } from '../rules/money.js';
import type { GatewayLine, GatewayNumbers, GatewayPayment, Payer } from '../rules/payment.js';
import { safeRedirect } from '../rules/redirect.js';
import type { Connection, GatewaySettings } from './connection.js';
import {
  asciiEmail,
  gatewayIdSchema,
  mayBeShown,
  NUMBER_MEMBERS,
  readNumbers,
  readSessionStatus,
  storableStatus,
  unreadMembers,
} from './status.js';

export interface SessionRequest {
  /** The attempt's id, stored before the first request. */
  readonly idempotencyKey: string;
  /** Unique at the gateway. */
  readonly reference: string;
  readonly orderNumber: string;
  readonly contact: Payer;
  readonly lines: readonly GatewayLine[];
  readonly amount: Centavos;
  /** The gateway sends the browser there after every outcome. */
  readonly returnUrl: string;
  /** Milliseconds since 1970; the request has seconds. */
  readonly expiresAt: number;
}

/** A created session. An `unusable` one must not be shown to the customer: its content or its address is wrong. */
export type StartedSession =
  | {
      readonly kind: 'open';
      readonly gatewayId: string;
      readonly url: string;
      /** When the gateway closes the page, in milliseconds since 1970; else when we asked it to. */
      readonly offerEndsAt: number;
      readonly numbers: GatewayNumbers | undefined;
      /** Members of the answer that are not used, by the gateway's names: they cannot be read, or not be true. */
      readonly unused?: readonly string[];
    }
  | { readonly kind: 'unusable'; readonly gatewayId: string; readonly fault: 'mismatch' | 'unsafe_url' }
  /** The address is safe, and `pageOrigins` lacks its origin. */
  | { readonly kind: 'unusable'; readonly gatewayId: string; readonly fault: 'page_origin'; readonly origin: string };

/**
 * Creates a checkout session (section 4.3). Retries only errors that prove that none was created. Throws a `RangeError` when `expiresAt` lies outside the gateway's window (section 8).
 */
export async function startSession(
  { settings, checkout }: Connection,
  request: SessionRequest,
  now: number,
): Promise<StartedSession> {
  const session = await checkout(
    {
      call: 'create-session',
      method: 'POST',
      path: '/checkout/v1/sessions',
      body: JSON.stringify(toSessionBody(request, now, settings.brandColor?.())),
      headers: { 'x-idempotency-key': request.idempotencyKey },
    },
    ({ status, json }) => (status === 201 ? parseSession(json) : undefined),
  );
  return acceptSession(session, request, { settings, now });
}

/** Reads a checkout session (section 4.4). Retries. */
export async function readSession({ checkout }: Connection, gatewayId: string): Promise<GatewayPayment> {
  const path = `/checkout/v1/sessions/${encodeURIComponent(gatewayId)}`;
  const { payment } = await checkout({ call: 'read-session', method: 'GET', path }, ({ json }) => parseSession(json));
  return payment;
}

function acceptSession(
  { payment, url, isShown, isAsAsked, expiresAt }: ParsedSession,
  request: SessionRequest,
  { settings, now }: { readonly settings: GatewaySettings; readonly now: number },
): StartedSession {
  const { pageOrigins, production } = settings;
  const allowLoopbackHttp = !production;
  const { gatewayId, numbers } = payment;
  const asRequested =
    isShown &&
    isAsAsked &&
    payment.amount === request.amount &&
    payment.currency === CURRENCY &&
    payment.reference === request.reference;
  if (!asRequested) return { kind: 'unusable', gatewayId, fault: 'mismatch' };
  const safeUrl = safeRedirect(url ?? '', { allowLoopbackHttp });
  if (!safeUrl) return { kind: 'unusable', gatewayId, fault: 'unsafe_url' };
  if (!safeRedirect(safeUrl, { origins: pageOrigins, allowLoopbackHttp }))
    return { kind: 'unusable', gatewayId, fault: 'page_origin', origin: new URL(safeUrl).origin };
  const isCredible =
    expiresAt !== undefined && expiresAt >= now + MINUTE && expiresAt <= now + MAX_LIFETIME_MS + 5 * MINUTE;
  const offerEndsAt = isCredible ? expiresAt : request.expiresAt;
  const unused = [...(payment.unread ?? []), ...(isCredible || expiresAt === undefined ? [] : ['expires_at'])];
  return { kind: 'open', gatewayId, url: safeUrl, offerEndsAt, numbers, unused };
}

const MINUTE = 60_000;
const MIN_LIFETIME_MS = 30 * MINUTE;
const MAX_LIFETIME_MS = 24 * 60 * MINUTE;

/** Returns the body of create-session. Throws a `RangeError` when `expiresAt` lies outside the gateway's window. */
export function toSessionBody(request: SessionRequest, now: number, brandColor?: string): Record<string, unknown> {
  const lifetime = request.expiresAt - now;
  // Negated, so that NaN is refused too.
  if (!(lifetime >= MIN_LIFETIME_MS && lifetime <= MAX_LIFETIME_MS)) {
    throw new RangeError('expires_at must lie between 30 minutes and 24 hours from now');
  }
  return {
    customer: {
      first_name: request.contact.firstName,
      // The gateway requires both. A customer may have one name only.
      last_name: request.contact.lastName || request.contact.firstName,
      email: asciiEmail(request.contact.email),
    },
    amount_total: request.amount,
    currency: CURRENCY,
    line_items: request.lines.map((line) => ({
      name: line.name,
      quantity: line.quantity,
      unit_price: line.unitPrice,
      product_id: line.productId,
    })),
    external_id: request.reference,
    metadata: { order_number: request.orderNumber },
    ...ASKED,
    success_url: request.returnUrl,
    return_url: request.returnUrl,
    expires_at: Math.floor(request.expiresAt / 1000),
    ...(brandColor && { ui_config_version: 'V1', ui_config: { branding: { brand_color: brandColor } } }),
  };
}

/** What the request asks for. An answer that repeats a member repeats its value. */
const ASKED = { payment_method_types: ['card'], checkout_type: 'hosted', session_type: 'payment' } as const;

/**
 * Requires only what is used. Amount and currency read as absent when their type is wrong, a reference as another one.
 * @public also used by tests
 */
export const sessionSchema = z.object({
  id: gatewayIdSchema,
  status: z.string().max(100),
  transaction_status: z.string().max(100).nullish(),
  url: z.string().max(4096).optional().catch(undefined),
  amount_total: z.unknown().optional(),
  currency: z.string().optional().catch(undefined),
  external_id: z.string().nullish().catch(null),
  // Unix seconds and Unix milliseconds.
  expires_at: z.int().optional().catch(undefined),
  paid_at: z.int().optional().catch(undefined),
  payment_method_types: z.unknown().optional(),
  checkout_type: z.unknown().optional(),
  session_type: z.unknown().optional(),
  ...NUMBER_MEMBERS,
});

/** The members whose unreadable values are logged. The others make a session another one than the requested. */
const LOGGED = ['expires_at', 'paid_at', ...Object.keys(NUMBER_MEMBERS)] as const;

interface ParsedSession {
  readonly payment: GatewayPayment;
  readonly url: string | undefined;
  readonly isShown: boolean;
  /** Whether it has the payment methods and types of {@link ASKED}. */
  readonly isAsAsked: boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined;
}

/** Parses a session object, whole or abbreviated (section 2.4.2); returns `undefined` for anything else. */
function parseSession(json: unknown): ParsedSession | undefined {
  const { data: session } = sessionSchema.safeParse(json);
  if (!session) return undefined;
  const transactionStatus = session.transaction_status ?? undefined;
  const unread = unreadMembers(json, session, LOGGED);
  const hasPaidAt = (session.paid_at ?? 0) > 0 || unread.includes('paid_at');
  return {
    url: session.url,
    isShown: mayBeShown(session.status),
    isAsAsked: (Object.keys(ASKED) as (keyof typeof ASKED)[]).every((name) => isSame(session[name], ASKED[name])),
    expiresAt: session.expires_at === undefined ? undefined : session.expires_at * 1000,
    payment: {
      status: readSessionStatus(session.status, transactionStatus, hasPaidAt),
      gatewayId: session.id,
      gatewayStatus: storableStatus([session.status, transactionStatus].filter(Boolean).join('/')),
      amount: readCentavos(session.amount_total),
      currency: session.currency,
      // The interface promises a reference, so a session without one counts as one with another reference.
      reference: session.external_id ?? null,
      numbers: readNumbers(session),
      paidAt: session.paid_at,
      unread,
    },
  };
}

/** Case is ignored. An absent member is the same. */
function isSame(given: unknown, asked: string | readonly string[]): boolean {
  return (given ?? undefined) === undefined || JSON.stringify(given).toLowerCase() === JSON.stringify(asked);
}

/** The interface has a number. Exact digits in text are accepted too. */
function readCentavos(value: unknown): Centavos | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? centavos(number) : undefined;
}
