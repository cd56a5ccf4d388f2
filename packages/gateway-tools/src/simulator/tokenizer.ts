/** Exchanges card data for tokens and stores no card data. */
import { ApiError, validate } from './api-error.js';
import { type CardField, type CardFields, cardFieldNames, cardSchema } from './request-schemas.js';
import type { SimulatorState } from './state.js';
import { isCardNumber, passesLuhn, summarizeCard } from './test-cards.js';

const accessTokenTtlMs = 15 * 60_000;

/** Creates a token for one tokenization within 15 minutes. */
export function issueAccessToken(state: SimulatorState): string {
  const now = state.now();
  for (const [token, expiresAt] of state.accessTokens) if (expiresAt <= now) state.accessTokens.delete(token);
  const token = state.random(32).toString('base64url');
  state.accessTokens.set(token, now + accessTokenTtlMs);
  return token;
}

/** Exchanges the five card fields for tokens; success consumes the access token. */
export function tokenize(state: SimulatorState, accessToken: string, body: unknown): CardFields {
  if ((state.accessTokens.get(accessToken) ?? 0) <= state.now())
    throw new ApiError(401, 'invalid_authentication', 'The access token is unknown, used or expired.');
  const fields = validate(body, cardSchema);
  if (!isCardNumber(fields.card_number)) throw invalidCard('card_number', 'is not a valid card number');
  if (hasExpired(fields, state.now())) throw invalidCard('expiration_year', 'the card has expired');
  state.accessTokens.delete(accessToken);
  return createTokens(state, fields.card_number);
}

export function createTokens(state: SimulatorState, cardNumber: string): CardFields {
  const card = summarizeCard(cardNumber);
  const set = state.nextNumber();
  const tokens = cardFieldNames.map((field) => {
    const id = field === 'card_number' ? numberToken(state, cardNumber) : state.uuid();
    return [field, state.tokens.save({ id, field, card, set }).id];
  });
  // The list of names has every field.
  return Object.fromEntries(tokens) as CardFields;
}

/** Returns the field names of a tokenization body without values. No other card data may be recorded. */
export function redactCardFields(text: string): string {
  try {
    const names = Object.keys(Object(JSON.parse(text)));
    const fields = cardFieldNames.filter((field) => names.includes(field));
    return JSON.stringify(Object.fromEntries(fields.map((field) => [field, '[redacted]'])));
  } catch {
    return '"[redacted]"';
  }
}

type Expiry = Pick<CardFields, 'expiration_month' | 'expiration_year'>;

/** Returns whether the last day of the card's month is over. */
export function hasExpired({ expiration_month, expiration_year }: Expiry, nowMs: number): boolean {
  return Date.UTC(Number(expiration_year.slice(-2)) + 2000, Number(expiration_month)) <= nowMs;
}

/** Returns digits in blocks of four that fail the Luhn check: as many as the card has, or 16 in the public documents. */
function numberToken(state: SimulatorState, cardNumber: string): string {
  const length = state.settings.profile === 'public-docs' ? 16 : cardNumber.length;
  const digits = [...state.random(length)].map((byte) => byte % 10).join('');
  if (passesLuhn(digits) || digits === cardNumber) return numberToken(state, cardNumber);
  return digits.replace(/(.{4})(?=.)/g, '$1-');
}

function invalidCard(field: CardField, problem: string): ApiError {
  return new ApiError(400, 'invalid_card', 'The card data is not valid.', { [field]: problem });
}
