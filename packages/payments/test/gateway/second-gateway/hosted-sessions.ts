/** The payment pages of the second gateway. */

import { CURRENCY, toPesosText } from '@tianguis/payments/rules';
import type * as Own from '../../../src/gateway/hosted-sessions.js';
import { safeRedirect } from '../../../src/rules/redirect.js';
import { readSale } from './sale.js';
import { get, post, refuseProblem } from './wire.js';

export const startSession: typeof Own.startSession = async ({ settings, checkout }, request) => {
  const call = 'create-session';
  const closes = new Date(request.expiresAt).toISOString();
  const fields = { total: toPesosText(request.amount), order: request.reference, back: request.returnUrl, closes };
  const sent = { call, ...post(settings, '/pages', fields) } as const;
  const { payment, address = '' } = await checkout(sent, (response) => {
    refuseProblem(call, response);
    return readSale(response.json, 'page');
  });
  const { gatewayId, status, amount, currency } = payment;
  const isSame = status === 'pending' && amount === request.amount && currency === CURRENCY;
  if (!isSame) return { kind: 'unusable', gatewayId, fault: 'mismatch' };
  const allowLoopbackHttp = !settings.production;
  const url = safeRedirect(address, { origins: settings.pageOrigins, allowLoopbackHttp });
  if (!url) return { kind: 'unusable', gatewayId, fault: 'unsafe_url' };
  return { kind: 'open', gatewayId, url, offerEndsAt: request.expiresAt, numbers: undefined };
};

export const readSession: typeof Own.readSession = async ({ settings, checkout }, gatewayId) => {
  const call = 'read-session';
  const sent = { call, ...get(settings, `/pages/${encodeURIComponent(gatewayId)}`) } as const;
  return checkout(sent, (response) => {
    refuseProblem(call, response);
    return readSale(response.json, 'page')?.payment;
  });
};
