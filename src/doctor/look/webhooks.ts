/** Whether the service's messages would be let in, and anybody else's turned away. Leaves no message behind. */
import { randomUUID } from 'node:crypto';
import { expectedHeader, type WebhookAuth } from '../../core/webhook-auth.js';
import { ask, type Reply } from '../ask.js';
import { error, graver, ok, type Verdict } from '../finding.js';
import type { Patient } from '../patient.js';

/** No JSON object: whoever lets us in calls it unreadable and keeps nothing. */
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
    return [ok('The webhook address lets everybody in, as WEBHOOK_AUTH says.')];
  if (wrong.status === 401)
    return [ok('The webhook address lets the service in, and turns a made-up credential away.')];
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

const LATE = 'Payments are then found by the shop’s own looking alone, which is slower.';

function unreachable({ production }: Patient, reply: Reply): Verdict {
  const reason = reply.answered ? `status ${reply.status}` : reply.reason;
  return graver(production, {
    what: `The webhook address under PUBLIC_URL cannot be reached: ${reason}.`,
    why: LATE,
    mend: 'Start the shop, and check that its proxy and firewall let POST /webhooks/payments through.',
  });
}

function closed(status: number): Verdict {
  return status === 401
    ? ok('The webhook address turns everybody away, as WEBHOOK_AUTH is not set.')
    : notOurs(status);
}

const refused = error({
  what: 'The webhook address refuses the credential of WEBHOOK_AUTH (401).',
  why: `Every message of the service is turned away. ${LATE}`,
  mend: 'Start the shop again with these settings. If it has them, its proxy takes the credential’s header away.',
});

function notOurs(status: number): Verdict {
  return error({
    what: `The webhook address answers as the shop would not (${status}).`,
    why: `The service’s messages end elsewhere. ${LATE}`,
    mend: 'Let the proxy pass POST /webhooks/payments to the shop unchanged: no redirect, no login, no other program.',
  });
}

function letsAnyoneIn(status: number): Verdict {
  return error({
    what: `The webhook address takes a made-up credential (${status}).`,
    why: 'Anyone may send messages: each one makes the shop write and ask the service.',
    mend: 'Start the shop again with these settings. If it has them, its proxy adds the credential by itself: stop that.',
  });
}
