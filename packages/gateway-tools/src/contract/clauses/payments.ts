/** Card payments (docs/gateway-interface.md sections 2.2, 3.2, 4.1 and 4.2), tokenization and refunds (public documents). */

import { z } from 'zod';
import { clauses } from '../clause.js';
import {
  compare,
  compareRedirect,
  isoTime,
  membersOf,
  numberToken,
  REFUSED,
  rule,
  success,
  text,
  uuid,
  webUrl,
} from '../compare.js';
import type { Answer, GatewayClient } from '../gateway-client.js';
import { cardTokens, shopPayment } from '../requests.js';
import { NotTested, type Tester } from '../tester.js';

/** Test cards of the gateway's public documents, by their outcome. */
const CARDS = {
  authorized: '4000000000000077',
  threeDSecure: '4456528080389860',
  declined: '5451951574925480',
  fifteenDigits: '370000000000051',
} as const;
const { amount, return_url: RETURN_URL } = shopPayment();
const AMOUNT = { amount, currency: 'MXN' } as const;
const AUTHORIZED = membersOf({ status: 'authorized', ...AMOUNT });
const NOT_PAID = rule(
  'a status that is not paid',
  (status) => !/^(?:authorized|success|paid_full)$/i.test(String(status)),
);
const BANK = { next_action: z.looseObject({ redirect_to_url: z.looseObject({ url: webUrl }) }) };

export const tokenizerClauses = clauses(
  {
    'access-token | public | an access token | a text': async (gateway) =>
      compare(await gateway.requestAccessToken(), success({ access_token: text })),
    'card-tokens | 2.1.2 | the tokens of cards with 16 and 15 digits | a number in blocks of four digits, and four UUIDs':
      async (gateway) => {
        const others = { cardholder_name: uuid, cvv: uuid, expiration_month: uuid, expiration_year: uuid };
        const expected = success({ card_number: numberToken, ...others });
        const short = compare(await tokenize(gateway, CARDS.fifteenDigits), expected);
        const long = compare(await tokenize(gateway, CARDS.authorized), expected);
        return [...long, ...short.map((difference) => `card with 15 digits: ${difference}`)];
      },
  },
  'tokenizer',
);

export const paymentClauses = clauses(
  {
    'card-payment | 4.1, 2.2, 3.2 | a payment of a card without 3D Secure | authorized at once, amount in pesos as sent, ids and UTC time in their forms, no next_action':
      async (gateway) => {
        const ids = { id: uuid, payment_id: z.int(), transaction_id: text, created_at: isoTime };
        const expected = {
          ...ids,
          operation_type: z.literal('payment'),
          ...AUTHORIZED,
          next_action: z.null().optional(),
        };
        return compare(await pay(gateway, CARDS.authorized), success(expected));
      },
    'accented-name | 2.1.1, public | a payment of José Núñez, signed if a secret is set | a success': async (gateway) =>
      compare(await pay(gateway, CARDS.authorized, 'José Núñez'), success()),
    'read-transaction | 4.2, 3.2 | the transaction of a payment | the same id, amount and currency, authorized: without these the shop accepts no payment':
      async (gateway) => {
        const { id } = await pay(gateway, CARDS.authorized);
        return compare(await gateway.readTransaction(id), success({ id: z.literal(id), ...AUTHORIZED }));
      },
    'transaction-members | 2.2, 2.3 | the other members of a transaction | as in the answer to the payment, and no other reference, if they are present':
      async (gateway) => {
        const { id, json, reference } = await pay(gateway, CARDS.authorized);
        const { operation_type, payment_id, transaction_id, created_at } = Object(json);
        const references = { client_reference: reference, merchant_reference: reference };
        const members = z.object(membersOf({ operation_type, payment_id, transaction_id, created_at, ...references }));
        return compare(await gateway.readTransaction(id), success(members.partial().shape));
      },
    '3d-secure | 2.2, 4.1 | a payment of a card with 3D Secure | next_action.redirect_to_url.url, and not paid': async (
      gateway,
    ) => compare(await pay(gateway, CARDS.threeDSecure), success({ ...BANK, status: NOT_PAID })),
    'declined-card | public | a payment of a card that the bank declines | not paid, and no success without a status':
      async (gateway) => {
        const answer = await pay(gateway, CARDS.declined);
        return answer.status === 402 ? [] : compare(answer, success({ status: NOT_PAID }));
      },
    'refund | public | a refund, and the same refund again | Success or Pending with its payment and amount; then a refusal':
      async (gateway) => {
        const { id } = await pay(gateway, CARDS.authorized);
        const request = { operation_type: 'refund', ...AMOUNT, original_transaction_id: id };
        const answer = await gateway.process(request);
        if (compare(answer, REFUSED).length === 0)
          throw new NotTested('the gateway refuses refunds, which the interface does not show');
        const refund = { id: uuid, status: z.enum(['Success', 'Pending']), ...membersOf(request) };
        const repeated = compare(await gateway.process(request), REFUSED);
        return [...compare(answer, success(refund)), ...repeated.map((each) => `second refund: ${each}`)];
      },
  },
  'payment',
);

const answered = (step: 'approve' | 'refuse', status: z.ZodType) => async (gateway: GatewayClient, tester: Tester) => {
  const { id, json } = await pay(gateway, CARDS.threeDSecure);
  const landing = await tester(step, String(Object(json).next_action?.redirect_to_url?.url));
  const expected = success({ ...AUTHORIZED, id: z.literal(id), status });
  return [...compareRedirect(landing, RETURN_URL), ...compare(await gateway.readTransaction(id), expected)];
};

/** Each of them needs a customer on the bank's page. */
export const guidedPayments = clauses(
  {
    '3d-secure-confirmed | 3.2, 4.1, 4.2 | a payment that its customer confirmed at the bank | redirect to return_url; authorized, same amount and currency':
      answered('approve', z.literal('authorized')),
    '3d-secure-refused | 3.2, 4.1, 4.2 | a payment that its customer refused at the bank | redirect to return_url; not paid, same amount and currency':
      answered('refuse', NOT_PAID),
  },
  'tester',
);

/** Sends the shop's payment with tokens of the card. The gateway refuses it if its tokens have other forms. */
async function pay(gateway: GatewayClient, cardNumber: string, name?: string) {
  const tokens = cardTokens.safeParse((await tokenize(gateway, cardNumber)).json).data;
  const payment = shopPayment(tokens, name);
  const answer = await gateway.process(payment);
  return { ...answer, id: String(Object(answer.json).id), reference: payment['client_reference'] };
}

async function tokenize(gateway: GatewayClient, cardNumber: string): Promise<Answer> {
  const { access_token } = Object((await gateway.requestAccessToken()).json);
  return gateway.tokenize(String(access_token), {
    card_number: cardNumber,
    cardholder_name: 'Contract Suite',
    cvv: '123',
    expiration_month: '12',
    expiration_year: String(new Date().getUTCFullYear() + 2),
  });
}
