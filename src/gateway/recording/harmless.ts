/** What of an exchange is known to be harmless, by the name of its member. Whatever is not here is blotted. */

export type Kind = 'word' | 'currency' | 'amount' | 'time' | 'seconds' | 'status' | 'id' | 'address';

const NAMES: Readonly<Record<Kind, readonly string[]>> = {
  word: [
    'status',
    'transaction_status',
    'operation_type',
    'type',
    'code',
    'error_code',
    'decline_code',
    'provider',
    'session_type',
    'checkout_type',
  ],
  currency: ['currency'],
  amount: ['amount', 'amount_total', 'unit_price', 'quantity'],
  time: ['expires_at', 'created_at', 'modified_at', 'updated_at', 'paid_at', 'completed_at'],
  seconds: ['retry_after'],
  status: ['status_code'],
  id: [
    'id',
    'session_id',
    'payment_id',
    'transaction_id',
    'external_id',
    'client_reference',
    'merchant_reference',
    'order_id',
    'order_number',
    'product_id',
    'request_id',
  ],
  address: ['url'],
};

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as Kind] as const)),
);

export function kindOf(name: string): Kind | undefined {
  return KINDS.get(name);
}

/** One word or a few, written alike throughout: what was drawn at random hardly ever is. */
const PART = '(?:[a-z]{1,20}|[A-Z]{1,20}|(?:[A-Z][a-z]{1,19}){1,4})';
const WORD = new RegExp(`^ ?${PART}(?:[_-]${PART}){0,4} ?$`);
const CURRENCY = /^[A-Za-z]{3}$/;
const AMOUNT = /^[+-]?\d{1,9}(?:[.,]\d{1,6})?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;
/** Years 2001 to 2096, in seconds or milliseconds: no card number of 13 digits lies in between. */
const TIMES = [
  [1e9, 4e9],
  [1e12, 4e12],
] as const;
const LONGEST_WAIT_S = 1_000_000;

/** Whether a value may be written as it is, because its member is of this kind. */
export function isHarmless(kind: Kind, value: string | number): boolean {
  switch (kind) {
    case 'word':
      return typeof value === 'string' && WORD.test(value);
    case 'currency':
      return typeof value === 'string' && CURRENCY.test(value);
    case 'amount':
      return AMOUNT.test(String(value));
    case 'time':
      return typeof value === 'string' ? TIME.test(value) : isWholeWithin(value, TIMES);
    case 'seconds':
      return isWholeWithin(value, [[0, LONGEST_WAIT_S]]);
    case 'status':
      return isWholeWithin(value, [[100, 599]]);
    default:
      return false;
  }
}

function isWholeWithin(value: unknown, ranges: readonly (readonly [number, number])[]): boolean {
  return Number.isInteger(value) && ranges.some(([from, to]) => Number(value) >= from && Number(value) <= to);
}

const PLAIN_NAME = /^_{0,2}[a-z]{1,20}(?:_[a-z]{1,20}){0,5}\d{0,2}_{0,2}$/;
const HUMPED_NAME = /^[a-z]{2,20}(?:[A-Z][a-z]{1,19}){1,5}\d{0,2}$/;

/** Whether the name of a member is one that a programmer gave: a map may have e-mail addresses for names. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) || HUMPED_NAME.test(name);
}

const MEDIA = /^(?:application\/(?:problem\+)?json|text\/(?:html|plain|xml)|application\/xml)$/;
const CHARSET = /^(?:; ?charset=(?:utf-8|iso-8859-1|us-ascii|windows-1252))?$/i;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** The headers of an answer that are written, each with its rule. */
export const HEADERS: Readonly<Record<string, (value: string) => boolean>> = {
  'content-type': (value) => {
    const end = value.search(/;|$/);
    return MEDIA.test(value.slice(0, end)) && CHARSET.test(value.slice(end));
  },
  date: (value) => HTTP_DATE.test(value),
  'retry-after': (value) => /^\d{1,6}$/.test(value) || HTTP_DATE.test(value),
};
