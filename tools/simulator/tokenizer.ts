/** Turns card data into tokens and stores no card data. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type CardField, type CardFields, cardFieldNames } from './model.js';
import { Refusal } from './refusal.js';
import { faceOf, isCardNumber, passesLuhn } from './test-cards.js';
import { accept } from './validate.js';
import type { World } from './world.js';

const accessTokenLifeMs = 15 * 60_000;

const schema: z.ZodType<CardFields> = z.object({
  card_number: z.string().regex(/^[0-9]{13,19}$/, 'must be 13 to 19 digits without separators'),
  cardholder_name: z
    .string()
    .max(255, 'must have at most 255 characters')
    .refine((text) => text.trim() !== '', 'must not be empty'),
  cvv: z.string().regex(/^[0-9]{3,4}$/, 'must be 3 or 4 digits'),
  expiration_month: z.string().regex(/^(0[1-9]|1[0-2])$/, 'must be 01 to 12'),
  // The public material shows both two and four digits.
  expiration_year: z.string().regex(/^([0-9]{2}|[0-9]{4})$/, 'must be 2 or 4 digits'),
});

/** Creates a token for one tokenization within 15 minutes. */
export function issueAccessToken(world: World): string {
  for (const [token, end] of world.accessTokens) if (end <= world.now()) world.accessTokens.delete(token);
  const token = randomBytes(32).toString('base64url');
  world.accessTokens.set(token, world.now() + accessTokenLifeMs);
  return token;
}

/** Exchanges the five card fields for tokens; success consumes the access token. */
export function tokenize(world: World, accessToken: string, body: unknown): CardFields {
  if ((world.accessTokens.get(accessToken) ?? 0) <= world.now()) throw badAccessToken();
  const fields = accept(body, { schema, across: () => ({}) });
  if (!isCardNumber(fields.card_number)) throw badCard('card_number', 'is not a valid card number');
  if (hasExpired(fields, world.now())) throw badCard('expiration_year', 'the card has expired');
  world.accessTokens.delete(accessToken);
  return keepTokens(world, fields.card_number);
}

/** Creates tokens without an access token. */
export function keepTokens(world: World, cardNumber: string): CardFields {
  const card = faceOf(cardNumber);
  const issue = (field: CardField) => {
    const id = field === 'card_number' ? numberToken(cardNumber) : randomUUID();
    return world.tokens.save({ id, field, card }).id;
  };
  return {
    card_number: issue('card_number'),
    cardholder_name: issue('cardholder_name'),
    cvv: issue('cvv'),
    expiration_month: issue('expiration_month'),
    expiration_year: issue('expiration_year'),
  };
}

/** Returns the member names of a tokenization body without values. No other card data may be recorded. */
export function redactedCard(text: string): string {
  try {
    const names = Object.keys(Object(JSON.parse(text)));
    const known = cardFieldNames.filter((name) => names.includes(name));
    return JSON.stringify(Object.fromEntries(known.map((name) => [name, '[redacted]'])));
  } catch {
    return '"[redacted]"';
  }
}

/** Whether the last day of the card's month is over. */
export function hasExpired(
  card: Pick<CardFields, 'expiration_month' | 'expiration_year'>,
  nowMs: number,
): boolean {
  const year = Number(card.expiration_year.slice(-2)) + 2000;
  return Date.UTC(year, Number(card.expiration_month)) <= nowMs;
}

/** Returns 16 digits in the format of a card number that fail the Luhn check. */
function numberToken(cardNumber: string): string {
  const digits = Array.from({ length: 16 }, () => randomInt(10)).join('');
  if (passesLuhn(digits) || digits === cardNumber) return numberToken(cardNumber);
  return digits.replace(/(.{4})(?=.)/g, '$1-');
}

function badCard(field: CardField, problem: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'invalid_card',
    type: 'request_error',
    message: 'The card data cannot be right.',
    details: { [field]: problem },
  });
}

function badAccessToken(): Refusal {
  return new Refusal({
    status: 401,
    code: 'invalid_authentication',
    type: 'auth_error',
    message: 'The access token is unknown, spent or too old.',
  });
}
