/** What a webhook of the service may point to. Its status and amounts are never read: the lookup says what is true. */
import { z } from 'zod';

export interface WebhookHint {
  /** What the sender calls the event, for the record; absent when it does not say. */
  readonly event?: string;
  /** Ids that may be ours: of a session, of a payment. */
  readonly ids: readonly string[];
  /** References that may be ours: an order's number, a payment's `client_reference`. */
  readonly references: readonly string[];
}

const TEXT = z.string().min(1).max(255).optional().catch(undefined);
const REFERENCES = {
  client_reference: TEXT,
  merchant_reference: TEXT,
  external_id: TEXT,
  order_id: TEXT,
  order_number: TEXT,
};

const nested = z.object({ id: TEXT, session_id: TEXT, ...REFERENCES });
const withMetadata = nested.extend({ metadata: nested.optional().catch(undefined) });

/** All public shapes at once: hosted events keep theirs under `data`, card events are flat, older ones are nested. */
const webhookSchema = withMetadata.extend({
  action: TEXT,
  event_type: TEXT,
  event: TEXT,
  type: TEXT,
  data: withMetadata.optional().catch(undefined),
});

/** Reads whom a webhook is about; `undefined` when it is not a JSON object. An unknown shape is an empty hint. */
export function readWebhook(json: unknown): WebhookHint | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const parsed = webhookSchema.safeParse(json);
  if (!parsed.success) return { ids: [], references: [] };
  const { data, action, event_type, event, type } = parsed.data;
  const levels = [parsed.data, data, parsed.data.metadata, data?.metadata];
  const name = event_type ?? action ?? event ?? type;
  return {
    ids: distinct(levels.slice(0, 2).flatMap((level) => [level?.id, level?.session_id])),
    references: distinct(
      levels.flatMap((level) => [
        level?.client_reference,
        level?.merchant_reference,
        level?.external_id,
        level?.order_id,
        level?.order_number,
      ]),
    ),
    ...(name !== undefined && { event: name }),
  };
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
