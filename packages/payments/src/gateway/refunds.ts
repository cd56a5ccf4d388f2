/** Refunds of card payments (docs/gateway-interface.md, "Refunds"). Amounts are pesos with two decimals, as in card payments. */
import { z } from 'zod';
import { type Centavos, CURRENCY, toPesosText } from '../rules/money.js';
import type { RefundOutcome } from '../rules/refund.js';
import type { Connection } from './connection.js';
import { ERRORS, GatewayError } from './errors.js';
import { readPesos, signRequest } from './sign-request.js';
import { gatewayIdSchema, readRefundStatus, storableStatus } from './status.js';

export interface RefundCall {
  /** The refund's id, stored before the call. A repetition must use the same one. */
  readonly idempotencyKey: string;
  /** The gateway's id of the payment. */
  readonly gatewayId: string;
  readonly amount: Centavos;
}

/**
 * Sends one refund. Never retries, because the first request may have returned the money. `refused` means that this request
 * returned nothing. Returns a failure as a value and throws no {@link GatewayError}.
 */
export async function refundPayment({ settings, payments }: Connection, refund: RefundCall): Promise<RefundOutcome> {
  try {
    return await payments(
      {
        call: 'refund-payment',
        ...signRequest(settings, refund.idempotencyKey, {
          operation_type: 'refund',
          amount: Number(toPesosText(refund.amount)),
          currency: CURRENCY,
          original_transaction_id: refund.gatewayId,
        }),
        accepts: (_status, json) => readRefundError(json) !== undefined,
      },
      ({ json }) => readRefundError(json) ?? readOutcome(json, refund),
    );
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { state: ERRORS[error.code].notProcessed ? 'refused' : 'unknown', gatewayStatus: error.code };
  }
}

/** Reads the refund with this id. Retries. Whether the gateway supports it is not published: it may answer `not_found`. */
export function readRefund({ payments }: Connection, id: string, refund: RefundCall): Promise<RefundOutcome> {
  const path = `/api/v1/transactions/${encodeURIComponent(id)}/`;
  return payments({ call: 'read-refund', method: 'GET', path }, ({ json }) => readOutcome(json, refund));
}

/** @public also used by tests */
export const refundSchema = z.object({
  id: gatewayIdSchema,
  operation_type: z.string().optional().catch(undefined),
  status: z.string().max(100),
  amount: z.unknown(),
  currency: z.string().optional().catch(undefined),
  original_transaction_id: z.string().optional().catch(undefined),
});

/** Returns `unknown` if the refund is another one or its status is not published; `undefined` for anything else. */
function readOutcome(json: unknown, { gatewayId, amount }: RefundCall): RefundOutcome | undefined {
  const { data: refund } = refundSchema.safeParse(json);
  if (!refund) return undefined;
  const isSame =
    refund.operation_type?.toLowerCase() === 'refund' &&
    refund.original_transaction_id === gatewayId &&
    readPesos(refund.amount) === amount &&
    (refund.currency ?? CURRENCY) === CURRENCY;
  const state = readRefundStatus(refund.status);
  const gatewayStatus = storableStatus(refund.status);
  if (!isSame || state === 'unknown') return { state: 'unknown', gatewayStatus };
  return { state, gatewayStatus, gatewayRefundId: refund.id };
}

/** The published errors. Their HTTP status is not published. An earlier refund may be one of ours whose answer was lost. */
const REFUND_ERRORS: readonly (readonly [RegExp, RefundOutcome])[] = [
  [/already been refunded/i, { state: 'unknown', gatewayStatus: 'already_refunded' }],
  [/amount is greater th/i, { state: 'refused', gatewayStatus: 'amount_too_large' }],
  [/not found or not refundable/i, { state: 'refused', gatewayStatus: 'not_refundable' }],
];

const errorSchema = z.object({ error: z.unknown(), details: z.unknown().optional() });

/** Returns the answer that a published error means; `undefined` for any other body. */
function readRefundError(json: unknown): RefundOutcome | undefined {
  const { data } = errorSchema.safeParse(json);
  if (data?.error === undefined) return undefined;
  try {
    const text = JSON.stringify([data.error, data.details]);
    return REFUND_ERRORS.find(([words]) => words.test(text))?.[1];
  } catch {
    // Nested too deeply to be a published error.
    return undefined;
  }
}
