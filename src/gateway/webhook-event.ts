/** Parses webhook events for ids and references. Their statuses and amounts are never used: the lookup decides. */
import { z } from 'zod';

export interface WebhookHint {
  /** The event's name, for the record; absent when the event has none. */
  readonly event?: string;
  /** Ids of a session or a payment that may belong to an attempt. */
  readonly ids: readonly string[];
  /** Order numbers or attempt references (`client_reference`). */
  readonly references: readonly string[];
  /** Only in an event about a refund. Its ids are then no ids of sessions or payments, and `ids` is empty. */
  readonly refund?: RefundHint;
}

export interface RefundHint {
  readonly id: string;
  readonly paymentId: string | undefined;
}

/** Ignores texts with control characters or lone surrogates. Our ids have none, and PostgreSQL cannot store NUL. */
const TEXT = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u)
  .optional()
  .catch(undefined);
const REFERENCES = {
  client_reference: TEXT,
  merchant_reference: TEXT,
  external_id: TEXT,
  order_id: TEXT,
  order_number: TEXT,
};
const REFERENCE_NAMES = Object.keys(REFERENCES) as readonly (keyof typeof REFERENCES)[];

const REFUND_MEMBERS = { operation_type: TEXT, original_transaction_id: TEXT };

const nested = z.object({ id: TEXT, session_id: TEXT, ...REFERENCES, ...REFUND_MEMBERS });
const withMetadata = nested.extend({ metadata: nested.optional().catch(undefined) });

/** All public shapes at once: hosted events have `data`, card events are flat, older ones are nested (docs/gateway-interface.md). */
const webhookSchema = withMetadata.extend({
  action: TEXT,
  event_type: TEXT,
  event: TEXT,
  type: TEXT,
  data: withMetadata.optional().catch(undefined),
});

/** Parses a webhook event (section 6). Returns `undefined` when it is no JSON object, an empty hint for unknown shapes. */
export function readWebhook(json: unknown): WebhookHint | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const parsed = webhookSchema.safeParse(json);
  if (!parsed.success) return { ids: [], references: [] };
  const { data, action, event_type, event, type } = parsed.data;
  const levels = [parsed.data, data, parsed.data.metadata, data?.metadata];
  const name = event_type ?? action ?? event ?? type;
  const [paymentId] = distinct(levels.map((level) => level?.original_transaction_id));
  const operations = [name, ...levels.map((level) => level?.operation_type)];
  const isRefund = paymentId !== undefined || operations.some((each) => /^refund/i.test(each ?? ''));
  const id = parsed.data.id ?? data?.id;
  return {
    ids: isRefund ? [] : distinct(levels.slice(0, 2).flatMap((level) => [level?.id, level?.session_id])),
    ...(isRefund && id !== undefined && { refund: { id, paymentId } }),
    references: distinct(levels.flatMap((level) => REFERENCE_NAMES.map((name) => level?.[name]))),
    event: name,
  };
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
