/** The `card` payment flow of an order. */

import { type Admission, type LimitedStart, refusalOf } from './account-limits.js';
import { admitStart } from './admit-start.js';
import type { PaymentContext } from './context.js';
import type { ProcessedPayment } from './gateway/card-payments.js';
import { GatewayError } from './gateway/errors.js';
import type { CardTokens } from './rules/card-data.js';
import { errorName } from './rules/error-name.js';
import {
  type LeasedAttempt,
  paymentRequestOf,
  type Started,
  type StartOptions,
  startAttempt,
} from './start-attempt.js';
import type { Order } from './store/orders.js';
import { storeFailureAndThrow, storeResponse } from './store-response.js';
import { verifyPayment } from './verify-payment.js';

/**
 * Sends at most one card payment for an order (interface section 4.1). Returns a redirect if the bank requires 3D Secure,
 * otherwise the order after a lookup. Throws `PaymentError` only if this try provably charged no card.
 */
export async function startCard(
  context: PaymentContext,
  orderId: string,
  tokens: CardTokens,
  options: StartOptions,
): Promise<Started> {
  const leased = await startAttempt(context, orderId, 'card', options);
  if (leased.kind !== 'leased') return leased;
  const { passed } = options;
  const refused = await admitStart(context, leased, passed);
  if (refused) return refused;
  const result = await processOnce(context, leased, { passed, tokens });
  if (result.order.state === 'declined') await noteDecline(context, leased.order, passed);
  return result;
}

/** The answer is stored already, so an error of the host is logged only. */
async function noteDecline({ host, log }: PaymentContext, { number }: Order, passed: unknown): Promise<void> {
  try {
    await host.noteDecline(passed);
  } catch (error) {
    log.error('host.change_failed', { order: number, call: 'noteDecline', reason: errorName(error) });
  }
}

/** Sends the payment. Nothing sends it again. */
async function processOnce(
  context: PaymentContext,
  leased: LeasedAttempt,
  { passed, tokens }: { readonly passed: unknown; readonly tokens: CardTokens },
): Promise<Started> {
  const { order, attempt } = leased;
  const processed = await context.gateway.processPayment({ ...paymentRequestOf(context, leased), tokens });
  switch (processed.kind) {
    case 'known':
      return storeAndRedirect(context, leased, processed);
    case 'declined': {
      const { gatewayStatus } = processed;
      const stored = await storeResponse(context, attempt, { kind: 'declined', gatewayStatus });
      return { kind: 'show_order', order: stored?.order ?? order };
    }
    case 'refused':
      try {
        return await storeFailureAndThrow(context, attempt, processed.error);
      } finally {
        // Tokens that a program invented use up the limit of all customers as declined cards do.
        if (processed.error.code === 'refused') await noteDecline(context, order, passed);
      }
    case 'unknown': {
      const { code, status, reason } = processed.error;
      const fields = { order: order.number, attempt: attempt.id, code, status, reason };
      context.log.error('card_payment.outcome_lost', fields);
      const stored = await storeResponse(context, attempt, { kind: 'unknown', reason: code });
      return { kind: 'show_order', order: stored?.order ?? order };
    }
  }
}

async function storeAndRedirect(
  context: PaymentContext,
  { order: before, attempt }: LeasedAttempt,
  { bankUrl, bankFault: reason, payment }: Extract<ProcessedPayment, { kind: 'known' }>,
): Promise<Started> {
  const { gatewayId, gatewayStatus, numbers } = payment;
  if (reason) context.log.error('card_payment.bank_page_lost', { order: before.number, attempt: attempt.id, reason });
  const opened = { kind: 'opened', gatewayId, gatewayStatus, redirectUrl: bankUrl, reason, ...numbers } as const;
  const stored = await storeResponse(context, attempt, opened);
  if (!stored) return { kind: 'show_order', order: before };
  if (bankUrl !== undefined && stored.isUsable) return { kind: 'redirect', order: stored.order, url: bankUrl };
  const { order } = await verifyPayment(context, attempt.orderId, 'card_answer');
  return { kind: 'show_order', order };
}

/** A token for the tokenizer, or why there is none. */
export type TokenizerAccess =
  | { readonly kind: 'token'; readonly token: string }
  | LimitedStart
  | { readonly kind: 'unavailable' };

export interface TokenizerRequest {
  /** The tokenizer refused the token that the browser has. */
  readonly isRefused: boolean;
  /** Counts a token for the client of the host, just before the gateway is asked for one. */
  readonly admit?: (() => Promise<Admission | undefined>) | undefined;
}

/**
 * Returns a short-lived token with which the browser may call the tokenizer. A token that the gateway allows to keep serves
 * several customers, until the tokenizer refused it.
 */
export async function tokenizerAccess(
  { accountLimits, gateway, log }: PaymentContext,
  { isRefused, admit }: TokenizerRequest,
): Promise<TokenizerAccess> {
  const kept = isRefused ? undefined : gateway.keptAccessToken();
  if (kept !== undefined) return { kind: 'token', token: kept };
  const limited = await refusalOf(await admit?.(), accountLimits.countToken);
  if (limited) return limited;
  try {
    return { kind: 'token', token: await gateway.accessToken() };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn('tokenizer_access.failed', { call: error.call, code: error.code, reason: error.reason });
    return { kind: 'unavailable' };
  }
}
