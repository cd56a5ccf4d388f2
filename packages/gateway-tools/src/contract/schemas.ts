/** JSON Schemas of what a shop sends to the gateway, and of what it reads (docs/gateway-interface.md, section 2). */

export type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const atMost = (maxLength: number) => ({ type: 'string', maxLength });
const nonEmpty = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const is = (value: unknown) => ({ const: value });
const integer = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
/** A member whose value of another type counts as a different one. */
const any = {};

/** A body has no other members. */
function body(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An answer may have other members. */
function answer(properties: Json, required: readonly string[] = []): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const count = { type: 'integer' };

export const SESSION_BODY = body(
  {
    customer: body({ first_name: text, last_name: text, email: text }),
    amount_total: count,
    currency: is('MXN'),
    line_items: {
      type: 'array',
      items: body({ name: text, quantity: count, unit_price: count, product_id: text }),
    },
    external_id: text,
    metadata: body({ order_number: text }),
    payment_method_types: is(['card']),
    checkout_type: is('hosted'),
    session_type: is('payment'),
    success_url: text,
    return_url: text,
    expires_at: count,
    ui_config_version: is('V1'),
    ui_config: body({ branding: body({ brand_color: text }) }),
  },
  ['ui_config_version', 'ui_config'],
);

/** The members of the unified endpoint are sorted, because a signature covers the body. */
export const PAYMENT_BODY = body({
  amount: { type: 'number' },
  client_reference: text,
  currency: is('MXN'),
  customer: body({ email: text, name: text }),
  operation_type: is('payment'),
  payment_method: body({
    card_number: text,
    cardholder_name: text,
    cvv: text,
    expiration_month: text,
    expiration_year: text,
    type: is('CARD'),
  }),
  return_url: text,
});

export const REFUND_BODY = body({
  amount: { type: 'number' },
  currency: is('MXN'),
  operation_type: is('refund'),
  original_transaction_id: text,
});

/** Not every validator knows the classes of Unicode. */
const id = { ...nonEmpty(255), pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' };
const status = atMost(100);
const number = { anyOf: [text, integer] };
const numbers = { transaction_id: number, payment_id: number, provider: number };
const declineCode = { type: 'string', pattern: '^[A-Z][HS]\\d\\d$' };

export const ANSWERS = {
  Payment: answer(
    {
      // A pattern of JSON Schema has no flag that ignores the case.
      operation_type: { type: 'string', pattern: '^[Pp][Aa][Yy][Mm][Ee][Nn][Tt]$' },
      id,
      status,
      amount: any,
      currency: text,
      client_reference: any,
      merchant_reference: any,
      next_action: answer({ redirect_to_url: answer({ url: nonEmpty(4096) }, ['url']) }, ['redirect_to_url']),
      decline_code: declineCode,
      ...numbers,
    },
    ['id', 'status'],
  ),
  Decline: answer({ error: answer({ code: text, details: answer({ decline_code: declineCode }) }, ['code']) }, [
    'error',
  ]),
  Refund: answer({ id, operation_type: text, status, amount: any, currency: text, original_transaction_id: text }, [
    'id',
    'status',
    'amount',
  ]),
  AccessToken: answer({ access_token: nonEmpty(8192), expires_in: { type: 'number', exclusiveMinimum: 0 } }, [
    'access_token',
  ]),
  Session: answer(
    {
      id,
      status,
      transaction_status: { anyOf: [atMost(100), { type: 'null' }] },
      url: atMost(4096),
      amount_total: any,
      currency: text,
      external_id: { type: ['string', 'null'] },
      expires_at: integer,
      paid_at: integer,
      payment_method_types: any,
      checkout_type: any,
      session_type: any,
      ...numbers,
    },
    ['id', 'status'],
  ),
} as const;
