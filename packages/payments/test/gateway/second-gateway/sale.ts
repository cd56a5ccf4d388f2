/** Payment pages and charges of the second gateway, which have the same members. No answer contains a reference. */

import { CURRENCY } from '@tianguis/payments/rules';
import { z } from 'zod';
import { readPesos } from '../../../src/gateway/sign-request.js';
import type { GatewayPayment } from '../../../src/rules/payment.js';
import { readStatus } from './status.js';

const saleSchema = z.object({
  token: z.string().regex(/^\w{1,100}$/),
  state: z.string().regex(/^[\w/]{1,100}$/),
  total: z.string().optional().catch(undefined),
  money: z.string().optional().catch(undefined),
  address: z.string().optional().catch(undefined),
});

export interface Sale {
  readonly payment: GatewayPayment;
  /** The payment page, or the bank's page. */
  readonly address: string | undefined;
}

/** Parses the member `page` or `charge` of an answer; returns `undefined` for anything else. */
export function readSale(json: unknown, member: 'page' | 'charge'): Sale | undefined {
  const { data } = z.object({ [member]: saleSchema }).safeParse(json);
  const sale = data?.[member];
  if (!sale) return undefined;
  const { token, state, total, money, address } = sale;
  const currency = money === 'pesos' ? CURRENCY : money;
  const payment = { status: readStatus(state), gatewayId: token, gatewayStatus: state };
  return { payment: { ...payment, amount: readPesos(total), currency }, address };
}
