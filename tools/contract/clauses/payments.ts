/** Card payments (interface.md sections 2.2, 4.1 and 4.2) and tokenization (public documents). */
import { type Clause, expectKeyRefusal, expectSuccess } from '../clause.js';
import {
  compareMembers,
  type Deviation,
  type Expectation,
  exactly,
  isoTime,
  member,
  secretText,
  text,
  uuid,
  webAddress,
  whole,
} from '../expectation.js';
import type { Seen, Service } from '../gateway.js';
import { AMOUNT, cardPayment } from '../requests.js';
import type { Target } from '../target.js';

/** Test cards of the gateway's public documents, by their outcome. */
const CARDS = { paid: '4000000000000077', asksBank: '4456528080389860' } as const;

export const paymentClauses: readonly Clause[] = [
  {
    name: 'tokenization-access',
    section: 'public',
    says: 'a valid key gets an access token for the tokenizer, and an invalid key gets none',
    skippedFor: withoutTokenizer,
    async examine(service) {
      const answer = await service.accessToken();
      const refused = await service.accessToken('Token wrong_key_of_nobody');
      return [
        ...expectSuccess(answer),
        ...compareMembers(answer.json, { access_token: secretText }),
        ...expectKeyRefusal('with another key', refused),
      ];
    },
  },
  {
    name: 'card-payment',
    section: '4.1, 2.2',
    says: 'a card payment without 3D Secure is authorized immediately, and the response repeats the request',
    skippedFor: withoutPayment,
    async examine(service) {
      const answer = await pay(service, CARDS.paid);
      return [...expectSuccess(answer), ...compareMembers(answer.json, authorizedPayment)];
    },
  },
  {
    name: 'accented-name',
    section: '2.1.1, public',
    says: 'a payment of José Núñez is accepted; with a signing secret it is signed with PAYMENTS_SIGNING_TEXT',
    skippedFor: withoutPayment,
    examine: async (service) => expectSuccess(await pay(service, CARDS.paid, 'José Núñez')),
  },
  {
    name: 'read-transaction',
    section: '4.2',
    says: 'a lookup by id returns the payment with its final status and amount',
    skippedFor: withoutPayment,
    async examine(service) {
      const id = member((await pay(service, CARDS.paid)).json, 'id');
      const answer = await service.readTransaction(String(id));
      const expected = { ...found, id: exactly(id), status: exactly('authorized') };
      return [...expectSuccess(answer), ...compareMembers(answer.json, expected)];
    },
  },
  {
    name: '3d-secure',
    section: '2.2, 4.1',
    says: 'the response of a payment that needs 3D Secure contains the URL of the bank',
    skippedFor: withoutPayment,
    async examine(service) {
      const answer = await pay(service, CARDS.asksBank);
      const redirect = member(member(answer.json, 'next_action'), 'redirect_to_url');
      return [...expectSuccess(answer), ...bankAddress(redirect)];
    },
  },
];

const amounts = { amount: exactly(AMOUNT.pesos), currency: exactly('MXN') } as const;

const authorizedPayment: Readonly<Record<string, Expectation>> = {
  id: uuid,
  operation_type: exactly('payment'),
  status: exactly('authorized'),
  payment_id: whole,
  transaction_id: text,
  created_at: isoTime,
  ...amounts,
};

/** Section 4.2 does not show the whole response. The shop accepts no payment without these members. */
const found: Readonly<Record<string, Expectation>> = { ...amounts, client_reference: text };

function bankAddress(redirect: unknown): readonly Deviation[] {
  return compareMembers(redirect, { url: webAddress }).map((deviation) => ({
    ...deviation,
    at: `next_action.redirect_to_url.${deviation.at}`,
  }));
}

async function pay(service: Service, cardNumber: string, name?: string): Promise<Seen> {
  const access = member((await service.accessToken()).json, 'access_token');
  const year = String(new Date().getUTCFullYear() + 2);
  const tokens = await service.tokenize(String(access), {
    card_number: cardNumber,
    cardholder_name: 'Contract Suite',
    cvv: '123',
    expiration_month: '12',
    expiration_year: year,
  });
  return service.process(cardPayment(tokens.json, name));
}

function withoutTokenizer({ tokenizerUrl }: Target): string | undefined {
  return tokenizerUrl === undefined ? 'TOKENIZER_URL is not set' : undefined;
}

function withoutPayment(target: Target): string | undefined {
  if (!target.pays) return 'charges test cards: use --pay';
  return withoutTokenizer(target);
}
