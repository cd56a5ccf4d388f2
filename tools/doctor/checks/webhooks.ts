import { randomUUID } from 'node:crypto';
import type { WebhookAuth } from '../../../src/domain/webhook-auth.js';
import type { DoctorContext, Problem } from '../check.js';

/** Not a JSON object: a shop that accepts the credential answers 400 and stores nothing. */
const INVALID_EVENT = 'Tianguis doctor: not a webhook event';
const LATE = 'The shop then finds payments only through its own lookups, which takes longer.';

/** Checks that the webhook address accepts the gateway's credential and rejects others. Stores no webhook event. */
export async function checkWebhooks(context: DoctorContext): Promise<Problem | undefined> {
  const { webhookAuth } = context.secrets;
  const [reply, wrongReply] = await Promise.all([
    sendEvent(context, webhookAuth),
    sendEvent(context, wrongCredential(webhookAuth)),
  ]);
  if (!reply.answered || !wrongReply.answered)
    return {
      level: context.production ? 'error' : 'warning',
      what: 'The webhook address under PUBLIC_URL cannot be reached.',
      why: LATE,
      fix: 'Start the shop, and check that its proxy and firewall allow POST /webhooks/payments.',
    };
  // Without a credential the shop rejects every client.
  const expected = webhookAuth === undefined ? 401 : 400;
  if (reply.status === 401 && expected === 400)
    return {
      level: 'error',
      what: 'The webhook address refuses the credential of WEBHOOK_AUTH (401).',
      why: `The shop rejects every webhook of the gateway. ${LATE}`,
      fix: 'Restart the shop with these settings. If it has them, its proxy removes the header with the credential.',
    };
  if (reply.status !== expected)
    return {
      level: 'error',
      what: `The response of the webhook address is not from the shop (${reply.status}).`,
      why: `The gateway’s webhooks do not reach the shop. ${LATE}`,
      fix: 'Configure the proxy to forward POST /webhooks/payments to the shop unchanged, without redirect or login.',
    };
  if (webhookAuth?.scheme === 'none' || wrongReply.status === 401) return undefined;
  return {
    level: 'error',
    what: `The webhook address accepts a wrong credential (${wrongReply.status}).`,
    why: 'Any client can send webhooks. Each one causes a database write and a lookup at the gateway.',
    fix: 'Restart the shop with these settings. If it has them, stop its proxy from adding the credential.',
  };
}

function sendEvent({ config, send }: DoctorContext, auth: WebhookAuth | undefined) {
  return send({
    url: `${config.publicUrl}/webhooks/payments`,
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', ...(auth?.scheme === 'header' && { [auth.name]: auth.value }) },
    body: INVALID_EVENT,
  });
}

function wrongCredential(auth: WebhookAuth | undefined): WebhookAuth {
  const name = auth?.scheme === 'header' ? auth.name : 'authorization';
  return { scheme: 'header', name, value: `Bearer wrong-${randomUUID()}` };
}
