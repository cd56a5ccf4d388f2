/** The webhook events of the second gateway. */
import { z } from 'zod';
import type * as Own from '../../../src/gateway/webhook-event.js';

const text = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u);
const eventSchema = z.object({ kind: text, subject: text, order: text.optional(), charge: text.optional() });

export const readWebhook: typeof Own.readWebhook = (json) => {
  const { data } = eventSchema.safeParse(json);
  if (!data) return undefined;
  const { kind: event, subject, order, charge } = data;
  const texts = [subject, charge, order].filter((each) => each !== undefined);
  if (kind(event) === 'refund')
    return { event, ids: [], texts, refund: { gatewayRefundId: subject, gatewayId: charge } };
  return { event, ids: [subject], texts };
};

/** `charge.changed` → `charge`. */
const kind = (event: string) => event.split('.')[0];
