/** Turns card data into tokens; the card itself is forgotten at once. */
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
  // The public material says four digits in one place and two in another.
  expiration_year: z.string().regex(/^([0-9]{2}|[0-9]{4})$/, 'must be 2 or 4 digits'),
});

/** A pass for one tokenisation within fifteen minutes. */
export function issueAccessToken(world: World): string {
  for (const [token, end] of world.accessTokens) if (end <= world.now()) world.accessTokens.delete(token);
  const token = randomBytes(32).toString('base64url');
  world.accessTokens.set(token, world.now() + accessTokenLifeMs);
  return token;
}

/** Exchanges the five card fields for tokens; the access token is spent when it succeeds. */
export function tokenize(world: World, accessToken: string, body: unknown): CardFields {
  if ((world.accessTokens.get(accessToken) ?? 0) <= world.now()) throw badAccessToken();
  const fields = accept(body, { schema, across: () => ({}) });
  if (!isCardNumber(fields.card_number)) throw badCard('card_number', 'is not a valid card number');
  if (hasExpired(fields, world.now())) throw badCard('expiration_year', 'the card has expired');
  world.accessTokens.delete(accessToken);
  return keepTokens(world, fields.card_number);
}

/** Tokens of a card, without the way through the vault's door. */
export function keepTokens(world: World, cardNumber: string): CardFields {
  const card = faceOf(cardNumber);
  const issue = (field: CardField) => {
    const id = field === 'card_number' ? numberToken(cardNumber) : randomUUID();
    return world.tokens.save({ id, field, card }).id;
  };
  const [card_number, cardholder_name, cvv, expiration_month, expiration_year] = [
    issue('card_number'),
    issue('cardholder_name'),
    issue('cvv'),
    issue('expiration_month'),
    issue('expiration_year'),
  ];
  return { card_number, cardholder_name, cvv, expiration_month, expiration_year };
}

/** The names of what was sent: all of a card that a log may hold. */
export function redactedCard(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return '[redacted]';
  const known: readonly string[] = cardFieldNames;
  return Object.fromEntries(
    Object.keys(body)
      .filter((key) => known.includes(key))
      .map((key) => [key, '[redacted]']),
  );
}

/** Whether the last day of the card's month is over. */
export function hasExpired(
  card: Pick<CardFields, 'expiration_month' | 'expiration_year'>,
  nowMs: number,
): boolean {
  const year = Number(card.expiration_year.slice(-2)) + 2000;
  return Date.UTC(year, Number(card.expiration_month)) <= nowMs;
}

/** Sixteen digits that look like a card number and can never be one. */
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
