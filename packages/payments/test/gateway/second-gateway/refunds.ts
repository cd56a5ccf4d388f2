/** The refunds of the second gateway: part of the address of their charge. */

import { toPesosText } from '@tianguis/payments/rules';
import { z } from 'zod';
import { ERRORS, GatewayError } from '../../../src/gateway/errors.js';
import type * as Own from '../../../src/gateway/refunds.js';
import { readPesos } from '../../../src/gateway/sign-request.js';
import type { RefundOutcome } from '../../../src/rules/refund.js';
import { readRefundStatus } from './status.js';
import { get, post, refuseProblem } from './wire.js';

const word = z.string().regex(/^\w{1,100}$/);
const refundSchema = z.object({ refund: z.object({ token: word, charge: word, state: word, total: z.string() }) });

function readOutcome(json: unknown, { gatewayId, amount }: Own.RefundCall): RefundOutcome | undefined {
  const { data } = refundSchema.safeParse(json);
  if (!data) return undefined;
  const { token, charge, state, total } = data.refund;
  const isSame = charge === gatewayId && readPesos(total) === amount;
  return { state: isSame ? readRefundStatus(state) : 'unknown', gatewayStatus: state, gatewayRefundId: token };
}

export const refundPayment: typeof Own.refundPayment = async ({ settings, payments }, refund) => {
  const call = 'refund-payment';
  const path = `/charges/${encodeURIComponent(refund.gatewayId)}/refunds`;
  try {
    return await payments({ call, ...post(settings, path, { total: toPesosText(refund.amount) }) }, (response) => {
      refuseProblem(call, response);
      return readOutcome(response.json, refund);
    });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { state: ERRORS[error.code].notProcessed ? 'refused' : 'unknown', gatewayStatus: error.code };
  }
};

export const readRefund: typeof Own.readRefund = ({ settings, payments }, id, refund) => {
  const call = 'read-refund';
  return payments({ call, ...get(settings, `/refunds/${encodeURIComponent(id)}`) }, (response) => {
    refuseProblem(call, response);
    return readOutcome(response.json, refund);
  });
};
