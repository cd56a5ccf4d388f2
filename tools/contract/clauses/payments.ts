/** Card payments (docs/gateway-interface.md sections 2.2, 4.1 and 4.2), tokenization and refunds (public documents). */
import { z } from 'zod';
import { readCardTokens } from '../../../src/domain/card-data.js';
import type { Clauses } from '../clause.js';
import {
  compare,
  isoTime,
  KEY_REFUSED,
  membersOf,
  numberToken,
  REFUSED,
  success,
  text,
  uuid,
  webUrl,
} from '../compare.js';
import type { Answer, GatewayClient } from '../gateway-client.js';
import { shopPayment } from '../requests.js';

/** Test cards of the gateway's public documents, by their outcome. */
const CARDS = {
  authorized: '4000000000000077',
  threeDSecure: '4456528080389860',
  fifteenDigits: '370000000000051',
} as const;
const AMOUNT = { amount: shopPayment()['amount'], currency: 'MXN' } as const;
const AUTHORIZED = membersOf({ status: 'authorized', ...AMOUNT });

export const tokenizerClauses: Clauses = {
  'access-token (public)': async (gateway) =>
    compare(await gateway.requestAccessToken(), success({ access_token: text })),

  'key refused: access-token with another key (public)': async (gateway) =>
    compare(await gateway.requestAccessToken({ Authorization: 'Token wrong_key' }), KEY_REFUSED),

  async 'card-tokens (2.1.2)'(gateway) {
    const others = { cardholder_name: uuid, cvv: uuid, expiration_month: uuid, expiration_year: uuid };
    const expected = success({ card_number: numberToken, ...others });
    const short = compare(await tokenize(gateway, CARDS.fifteenDigits), expected);
    const long = compare(await tokenize(gateway, CARDS.authorized), expected);
    return [...long, ...short.map((text) => `card with 15 digits: ${text}`)];
  },
};

export const paymentClauses: Clauses = {
  async 'card-payment (4.1, 2.2)'(gateway) {
    const ids = { id: uuid, payment_id: z.int(), transaction_id: text, created_at: isoTime };
    const expected = { ...ids, operation_type: z.literal('payment'), ...AUTHORIZED };
    return compare(await pay(gateway, CARDS.authorized), success(expected));
  },

  // With a signing secret, the payment is signed with PAYMENTS_SIGNING_TEXT.
  'accented-name (2.1.1, public)': async (gateway) =>
    compare(await pay(gateway, CARDS.authorized, { firstName: 'José', lastName: 'Núñez' }), success()),

  async 'read-transaction (4.2)'(gateway) {
    const { id } = Object((await pay(gateway, CARDS.authorized)).json);
    const answer = await gateway.readTransaction(String(id));
    // The shop accepts no payment without these members.
    return compare(answer, success({ id: z.literal(id), ...AUTHORIZED }));
  },

  // Section 2.3 shows no members. The shop compares or stores these, if they are present.
  async 'transaction-members (2.2, 2.3)'(gateway) {
    const { json, reference } = await pay(gateway, CARDS.authorized);
    const { id, operation_type, payment_id, transaction_id, created_at } = Object(json);
    const references = { client_reference: reference, merchant_reference: reference };
    const members = z.object(membersOf({ operation_type, payment_id, transaction_id, created_at, ...references }));
    return compare(await gateway.readTransaction(String(id)), success(members.partial().shape));
  },

  async '3d-secure (2.2, 4.1)'(gateway) {
    const redirect = z.looseObject({ redirect_to_url: z.looseObject({ url: webUrl }) });
    return compare(await pay(gateway, CARDS.threeDSecure), success({ next_action: redirect }));
  },

  async 'refund (public)'(gateway) {
    const { id } = Object((await pay(gateway, CARDS.authorized)).json);
    const request = { operation_type: 'refund', ...AMOUNT, original_transaction_id: String(id) };
    const answer = await gateway.process(request);
    const refund = { id: uuid, status: z.enum(['Success', 'Pending']), ...membersOf(request) };
    const repeated = compare(await gateway.process(request), REFUSED);
    return [...compare(answer, success(refund)), ...repeated.map((text) => `second refund: ${text}`)];
  },
};

/** Sends the shop's payment with tokens of the card. The gateway refuses it if the shop cannot read the tokens. */
async function pay(gateway: GatewayClient, cardNumber: string, names?: object) {
  const tokens = readCardTokens(Object((await tokenize(gateway, cardNumber)).json));
  const payment = shopPayment(tokens, names);
  return { ...(await gateway.process(payment)), reference: payment['client_reference'] };
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
