/** Card payments (interface.md sections 2.2, 4.1 and 4.2) and the way to their tokens (public material). */
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
import { AMOUNT, cardPayment } from '../requests.js';
import type { Seen, Service } from '../service.js';
import type { Target } from '../target.js';

/** Test cards of the public material, by what they make happen. */
const CARDS = { paid: '4000000000000077', asksBank: '4456528080389860' } as const;

export const paymentClauses: readonly Clause[] = [
  {
    name: 'tokenization-access',
    section: 'public',
    says: 'a key is given an access token for the vault, and a wrong key none',
    skippedFor: withoutVault,
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
    says: 'a card payment without 3D Secure is authorized at once, and echoes the request',
    skippedFor: withoutPayment,
    async examine(service) {
      const answer = await pay(service, CARDS.paid);
      return [...expectSuccess(answer), ...compareMembers(answer.json, authorizedPayment)];
    },
  },
  {
    name: 'read-transaction',
    section: '4.2',
    says: 'a payment is found by its id, with its final status and its amount',
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
    says: 'a payment that needs 3D Secure carries the bank’s address',
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

/** Its shape is not shown; without these the shop believes no payment. */
const found: Readonly<Record<string, Expectation>> = { ...amounts, client_reference: text };

function bankAddress(redirect: unknown): readonly Deviation[] {
  return compareMembers(redirect, { url: webAddress }).map((deviation) => ({
    ...deviation,
    at: `next_action.redirect_to_url.${deviation.at}`,
  }));
}

async function pay(service: Service, cardNumber: string): Promise<Seen> {
  const access = member((await service.accessToken()).json, 'access_token');
  const year = String(new Date().getUTCFullYear() + 2);
  const tokens = await service.tokenize(String(access), {
    card_number: cardNumber,
    cardholder_name: 'Contract Suite',
    cvv: '123',
    expiration_month: '12',
    expiration_year: year,
  });
  return service.process(cardPayment(tokens.json));
}

function withoutVault({ tokenizerUrl }: Target): string | undefined {
  return tokenizerUrl === undefined ? 'TOKENIZER_URL is not set' : undefined;
}

function withoutPayment(target: Target): string | undefined {
  if (!target.pays) return 'asked for with --pay: it charges test cards';
  if (target.signs) return 'this account signs its payments, and the suite does not';
  return withoutVault(target);
}
