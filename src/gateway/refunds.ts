/** Refunds of card payments (docs/gateway-interface.md, "Refunds"). Amounts are pesos with two decimals, as in card payments. */
import { z } from 'zod';
import { type Centavos, CURRENCY, toPesosText } from '../domain/money.js';
import { evaluateRefund, type GatewayRefund } from '../domain/refund.js';
import type { Connection } from './connection.js';
import { GatewayError, provesNotProcessed } from './errors.js';
import { processRequest, readPesos } from './process-call.js';
import { gatewayIdSchema, readRefundStatus, storableStatus } from './status.js';

export interface RefundCall {
  /** The refund's id, stored before the call. A repetition must use the same one. */
  readonly idempotencyKey: string;
  /** The id of the card payment. */
  readonly paymentId: string;
  readonly amount: Centavos;
}

export type RefundAnswer =
  /** The gateway answered about a refund of this payment and amount. */
  | {
      readonly kind: 'succeeded' | 'pending' | 'refused';
      readonly gatewayRefundId?: string;
      readonly gatewayStatus: string;
    }
  /** The money may have been returned: no usable answer, an answer about another refund, or an earlier refund. */
  | { readonly kind: 'unknown'; readonly gatewayStatus: string };

/**
 * Sends one refund. Never retries, because the first request may have returned the money. `refused` means that this request
 * returned nothing. Returns a failure as a value and throws no {@link GatewayError}.
 */
export async function refundPayment(
  { settings, payments, deadlines }: Connection,
  refund: RefundCall,
): Promise<RefundAnswer> {
  try {
    return await payments(
      {
        call: 'refund-payment',
        ...processRequest(settings, refund.idempotencyKey, {
          operation_type: 'refund',
          amount: Number(toPesosText(refund.amount)),
          currency: CURRENCY,
          original_transaction_id: refund.paymentId,
        }),
        deadlineMs: deadlines.processPayment,
        acceptError: (json) => readRefundError(json) !== undefined,
      },
      ({ json }) => readRefundError(json) ?? readAnswer(json, refund),
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: provesNotProcessed(error) ? 'refused' : 'unknown', gatewayStatus: error.code };
  }
}

/** Reads a refund by its id. Retries. Whether the gateway supports it is not published: it may answer `not_found`. */
export function readRefund({ payments, deadlines }: Connection, id: string): Promise<GatewayRefund> {
  const path = `/api/v1/transactions/${encodeURIComponent(id)}/`;
  return payments(
    { call: 'read-refund', method: 'GET', path, deadlineMs: deadlines.read, retries: true },
    ({ json }) => parseRefund(json),
  );
}

function readAnswer(json: unknown, expected: RefundCall): RefundAnswer | undefined {
  const refund = parseRefund(json);
  if (!refund) return undefined;
  const { id, gatewayStatus } = refund;
  const kind = evaluateRefund(refund, expected);
  return kind ? { kind, gatewayStatus, gatewayRefundId: id } : { kind: 'unknown', gatewayStatus };
}

const refundSchema = z.object({
  id: gatewayIdSchema,
  operation_type: z.string().optional().catch(undefined),
  status: z.string().max(100),
  amount: z.unknown(),
  currency: z.string().optional().catch(undefined),
  original_transaction_id: z.string().optional().catch(undefined),
});

/** Parses a refund; returns `undefined` for anything else. */
function parseRefund(json: unknown): GatewayRefund | undefined {
  const { data: refund } = refundSchema.safeParse(json);
  return (
    refund && {
      id: refund.id,
      status: readRefundStatus(refund.status),
      isRefund: refund.operation_type?.toLowerCase() === 'refund',
      paymentId: refund.original_transaction_id,
      amount: readPesos(refund.amount),
      currency: refund.currency,
      gatewayStatus: storableStatus(refund.status),
    }
  );
}

/** The published errors. Their HTTP status is not published. An earlier refund may be one of ours whose answer was lost. */
const REFUND_ERRORS: readonly (readonly [RegExp, RefundAnswer])[] = [
  [/already been refunded/i, { kind: 'unknown', gatewayStatus: 'already_refunded' }],
  [/amount is greater th/i, { kind: 'refused', gatewayStatus: 'amount_too_large' }],
  [/not found or not refundable/i, { kind: 'refused', gatewayStatus: 'not_refundable' }],
];

const errorSchema = z.object({ error: z.unknown(), details: z.unknown().optional() });

/** Returns the answer that a published error means; `undefined` for any other body. */
function readRefundError(json: unknown): RefundAnswer | undefined {
  const { data } = errorSchema.safeParse(json);
  if (data?.error === undefined) return undefined;
  const text = JSON.stringify([data.error, data.details]);
  return REFUND_ERRORS.find(([words]) => words.test(text))?.[1];
}
