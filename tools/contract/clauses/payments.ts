/** Card payments (docs/gateway-interface.md sections 2.2, 4.1 and 4.2), tokenization and refunds (public documents). */
import { z } from 'zod';
import type { Clause } from '../clause.js';
import {
  compare,
  isoTime,
  KEY_REFUSED,
  matching,
  membersOf,
  REFUSED,
  success,
  text,
  uuid,
  webUrl,
} from '../compare.js';
import type { Answer, GatewayClient } from '../gateway-client.js';
import { cardPayment } from '../requests.js';

/** Test cards of the gateway's public documents, by their outcome. */
const CARDS = { authorized: '4000000000000077', threeDSecure: '4456528080389860' } as const;
const AMOUNT = { amount: z.literal(cardPayment().amount), currency: z.literal('MXN') };

export const paymentClauses: readonly Clause[] = [
  {
    name: 'access-token',
    section: 'public',
    needs: 'tokenizer',
    run: async (gateway) => compare(await gateway.requestAccessToken(), success({ access_token: text })),
  },
  {
    name: 'key refused: access-token with another key',
    section: 'public',
    needs: 'tokenizer',
    run: async (gateway) => compare(await gateway.requestAccessToken('Token wrong_key'), KEY_REFUSED),
  },
  {
    name: 'card-payment',
    section: '4.1, 2.2',
    needs: 'payment',
    async run(gateway) {
      const ids = { id: uuid, payment_id: z.int(), transaction_id: text, created_at: isoTime };
      const authorized = { operation_type: z.literal('payment'), status: z.literal('authorized'), ...AMOUNT };
      return compare(await pay(gateway, CARDS.authorized), success({ ...ids, ...authorized }));
    },
  },
  // With a signing secret, the payment is signed with PAYMENTS_SIGNING_TEXT.
  {
    name: 'accented-name',
    section: '2.1.1, public',
    needs: 'payment',
    run: async (gateway) => compare(await pay(gateway, CARDS.authorized, 'José Núñez'), success()),
  },
  {
    name: 'read-transaction',
    section: '4.2',
    needs: 'payment',
    async run(gateway) {
      const { id } = Object((await pay(gateway, CARDS.authorized)).json);
      const answer = await gateway.readTransaction(String(id));
      // Section 4.2 does not show the whole response. The shop accepts no payment without these members.
      const members = { id: matching(id), status: z.literal('authorized'), client_reference: text };
      return compare(answer, success({ ...members, ...AMOUNT }));
    },
  },
  {
    name: '3d-secure',
    section: '2.2, 4.1',
    needs: 'payment',
    async run(gateway) {
      const redirect = z.looseObject({ redirect_to_url: z.looseObject({ url: webUrl }) });
      return compare(await pay(gateway, CARDS.threeDSecure), success({ next_action: redirect }));
    },
  },
  {
    name: 'refund',
    section: 'public',
    needs: 'payment',
    async run(gateway) {
      const request = refundOf((await pay(gateway, CARDS.authorized)).json);
      const answer = await gateway.process(request);
      const refund = { id: uuid, status: z.enum(['Success', 'Pending']), ...membersOf(request) };
      const repeated = compare(await gateway.process(request), REFUSED);
      return [...compare(answer, success(refund)), ...repeated.map((text) => `second refund: ${text}`)];
    },
  },
];

function refundOf(payment: unknown) {
  const { amount, currency } = cardPayment();
  const { id } = Object(payment);
  return { operation_type: 'refund', amount, currency, original_transaction_id: String(id) };
}

async function pay(gateway: GatewayClient, cardNumber: string, name?: string): Promise<Answer> {
  const { access_token } = Object((await gateway.requestAccessToken()).json);
  const tokens = await gateway.tokenize(String(access_token), {
    card_number: cardNumber,
    cardholder_name: 'Contract Suite',
    cvv: '123',
    expiration_month: '12',
    expiration_year: String(new Date().getUTCFullYear() + 2),
  });
  return gateway.process(cardPayment(tokens.json, name));
}
