/**
 * Checks that the webhook address accepts the gateway's credential and rejects others. Leaves no webhook event
 * in the inbox.
 */
import { randomUUID } from 'node:crypto';
import { expectedHeader, type WebhookAuth } from '../../../src/domain/webhook-auth.js';
import { ask, type Reply } from '../ask.js';
import { error, graver, ok, type Verdict } from '../finding.js';
import type { Patient } from '../patient.js';

/** Not a JSON object: a shop that accepts the credential answers 400 and stores nothing. */
const UNREADABLE = 'Tianguis doctor: not a message';

export async function lookAtWebhooks(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const { webhookAuth } = patient.secrets;
  const send = (auth: WebhookAuth | undefined) => askWith(patient, auth, signal);
  const [right, wrong] = await Promise.all([send(webhookAuth), send(madeUp(webhookAuth))]);
  if (!right.answered || !wrong.answered) return [unreachable(patient, right.answered ? wrong : right)];
  if (webhookAuth === undefined) return [closed(right.status)];
  if (right.status === 401) return [refused];
  if (right.status !== 400) return [notOurs(right.status)];
  if (webhookAuth.scheme === 'none')
    return [ok('The webhook address accepts every client, as WEBHOOK_AUTH says.')];
  if (wrong.status === 401)
    return [ok('The webhook address accepts the gateway’s credential and rejects others.')];
  return [letsAnyoneIn(wrong.status)];
}

function madeUp(auth: WebhookAuth | undefined): WebhookAuth {
  const wrong = `wrong-${randomUUID()}`;
  switch (auth?.scheme) {
    case 'basic':
      return { ...auth, password: wrong };
    case 'header':
      return { ...auth, value: wrong };
    default:
      return { scheme: 'bearer', token: wrong };
  }
}

function askWith({ config }: Patient, auth: WebhookAuth | undefined, signal: AbortSignal): Promise<Reply> {
  const header = auth && expectedHeader(auth);
  return ask(
    {
      url: `${config.publicUrl}/webhooks/payments`,
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', ...(header && { [header.name]: header.value }) },
      body: UNREADABLE,
    },
    signal,
  );
}

const LATE = 'The shop then finds payments only through its own lookups, which takes longer.';

function unreachable({ production }: Patient, reply: Reply): Verdict {
  const reason = reply.answered ? `status ${reply.status}` : reply.reason;
  return graver(production, {
    what: `The webhook address under PUBLIC_URL cannot be reached: ${reason}.`,
    why: LATE,
    mend: 'Start the shop, and check that its proxy and firewall allow POST /webhooks/payments.',
  });
}

function closed(status: number): Verdict {
  return status === 401
    ? ok('The webhook address rejects every client, because WEBHOOK_AUTH is not set.')
    : notOurs(status);
}

const refused = error({
  what: 'The webhook address refuses the credential of WEBHOOK_AUTH (401).',
  why: `The shop rejects every webhook of the gateway. ${LATE}`,
  mend: 'Restart the shop with these settings. If it has them, its proxy removes the header with the credential.',
});

function notOurs(status: number): Verdict {
  return error({
    what: `The webhook address answers as the shop would not (${status}).`,
    why: `The gateway’s webhooks do not reach the shop. ${LATE}`,
    mend: 'Configure the proxy to forward POST /webhooks/payments to the shop unchanged, without redirect or login.',
  });
}

function letsAnyoneIn(status: number): Verdict {
  return error({
    what: `The webhook address takes a made-up credential (${status}).`,
    why: 'Any client can send webhooks. Each one causes a database write and a lookup at the gateway.',
    mend: 'Restart the shop with these settings. If it has them, stop its proxy from adding the credential.',
  });
}
