/** Searches webhook events for ids and references. Their statuses and amounts are never used: the lookup decides. */

export interface WebhookHint {
  /** The event's name, for the record; absent when the event has none. */
  readonly event?: string;
  /** Values of members that are named like an id of a session or a payment. */
  readonly ids: readonly string[];
  /** All texts of the event, any of which may be an order number, a reference or a stored id of ours. */
  readonly texts: readonly string[];
  /** Only in an event about a refund. Its ids are then no ids of sessions or payments, and `ids` is empty. */
  readonly refund?: RefundHint;
}

export interface RefundHint {
  readonly gatewayRefundId: string;
  /** The gateway's id of the payment. */
  readonly gatewayId: string | undefined;
}

/** The interface shows no payload (section 6), so events are searched to this depth and for this number of texts. */
const MAX_DEPTH = 6;
const MAX_TEXTS = 100;
/** Texts with control characters or lone surrogates are ignored. Our ids have none, and PostgreSQL cannot store NUL. */
const TEXT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
const ID_NAME = /^(?:id|session_id|payment_id|transaction_id|checkout_id|checkout_session_id|uuid)$/i;
const EVENT_NAMES = ['event_type', 'action', 'event', 'type'];

interface Found {
  readonly name: string;
  readonly text: string;
}

/** Parses a webhook event (section 6). Returns `undefined` when it is no JSON object. */
export function readWebhook(json: unknown): WebhookHint | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const found = textsOf(json);
  const first = (name: string) => found.find((each) => each.name === name)?.text;
  const event = EVENT_NAMES.map((name) => ownText(json, name)).find((text) => text !== undefined);
  const gatewayId = first('original_transaction_id');
  const isRefund =
    gatewayId !== undefined || [event, first('operation_type')].some((each) => /^refund/i.test(each ?? ''));
  const gatewayRefundId = first('id');
  return {
    ids: isRefund ? [] : distinct(found.filter(({ name }) => ID_NAME.test(name))),
    ...(isRefund && gatewayRefundId !== undefined && { refund: { gatewayRefundId, gatewayId } }),
    texts: distinct(found),
    ...(event !== undefined && { event }),
  };
}

/** Returns the texts of an event with the names of their members, outer ones first. */
function textsOf(json: object): readonly Found[] {
  const found: Found[] = [];
  let level: readonly object[] = [json];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const members = level.flatMap((each) => Object.entries(each).slice(0, MAX_TEXTS)).slice(0, MAX_TEXTS);
    for (const [name, value] of members) {
      if (typeof value === 'string' && TEXT.test(value) && found.length < MAX_TEXTS) found.push({ name, text: value });
    }
    level = members.flatMap(([, value]) => (typeof value === 'object' && value !== null ? [value as object] : []));
  }
  return found;
}

function ownText(json: object, name: string): string | undefined {
  const value: unknown = Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
  return typeof value === 'string' && TEXT.test(value) ? value : undefined;
}

function distinct(found: readonly Found[]): readonly string[] {
  return [...new Set(found.map(({ text }) => text))];
}
