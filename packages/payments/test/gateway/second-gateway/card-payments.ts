/** The charges of the second gateway, and the key of its card vault. */

import { CURRENCY, toPesosText } from '@tianguis/payments/rules';
import { z } from 'zod';
import type * as Own from '../../../src/gateway/card-payments.js';
import { ERRORS, GatewayError } from '../../../src/gateway/errors.js';
import { safeRedirect } from '../../../src/rules/redirect.js';
import { readSale } from './sale.js';
import { get, post, refuseProblem } from './wire.js';

export const processPayment: typeof Own.processPayment = async ({ settings, payments }, request) => {
  const call = 'process-payment';
  const { amount, reference, returnUrl, tokens } = request;
  const fields = { total: toPesosText(amount), order: reference, back: returnUrl, card: tokens.card_number };
  try {
    const { payment, address } = await payments({ call, ...post(settings, '/charges', fields) }, (response) => {
      refuseProblem(call, response);
      return readSale(response.json, 'charge');
    });
    if (payment.amount !== amount || payment.currency !== CURRENCY)
      throw new GatewayError({ call, code: 'bad_answer', reason: 'mismatch' });
    const bankUrl = address && safeRedirect(address, { allowLoopbackHttp: !settings.production });
    return { kind: 'known', bankUrl, payment };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: ERRORS[error.code].notProcessed ? 'refused' : 'unknown', error };
  }
};

export const readTransaction: typeof Own.readTransaction = async ({ settings, payments }, gatewayId) => {
  const call = 'read-transaction';
  const sent = { call, ...get(settings, `/charges/${encodeURIComponent(gatewayId)}`) } as const;
  return payments(sent, (response) => {
    refuseProblem(call, response);
    return readSale(response.json, 'charge')?.payment;
  });
};

const keySchema = z.object({ vault_key: z.string().min(1).max(200) });

export const accessToken: typeof Own.accessToken = ({ settings, payments }) => {
  const call = 'access-token';
  return payments({ call, ...post(settings, '/vault-keys', {}) }, (response) => {
    refuseProblem(call, response);
    const { data } = keySchema.safeParse(response.json);
    return data && { token: data.vault_key };
  });
};
