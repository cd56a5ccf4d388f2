/** Whether the service answers and takes the key: asked for what cannot exist, so that nothing is made. */
import { randomUUID } from 'node:crypto';
import { ask, type Reply } from '../ask.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

const NO_PAYMENT = '00000000-0000-4000-8000-000000000000';
const NO_SESSION = 'cs_0_0_000000000000000000000000000000000000000000000000';

/** `{checkout_api_url}`: a session that nobody made. */
export function lookAtCheckoutApi({ config, secrets }: Patient, signal: AbortSignal): Promise<Verdict[]> {
  const url = `${config.payments.checkoutApiUrl}/checkout/v1/sessions/${NO_SESSION}`;
  return lookAt({ name: 'CHECKOUT_API_URL', url, key: secrets.apiKey }, signal);
}

/** `{base_url}`: a transaction that nobody made. */
export function lookAtPaymentsApi({ config, secrets }: Patient, signal: AbortSignal): Promise<Verdict[]> {
  const url = `${config.payments.baseUrl}/api/v1/transactions/${NO_PAYMENT}/`;
  return lookAt({ name: 'PAYMENTS_BASE_URL', url, key: secrets.apiKey }, signal);
}

interface Place {
  readonly name: 'CHECKOUT_API_URL' | 'PAYMENTS_BASE_URL';
  readonly url: string;
  readonly key: string;
}

/** A made-up key beside ours: what is answered alike to both proves nothing about ours. */
async function lookAt(place: Place, signal: AbortSignal): Promise<Verdict[]> {
  const [ours, madeUp] = await Promise.all([
    askWith(place.key, place, signal),
    askWith(`wrong_${randomUUID()}`, place, signal),
  ]);
  return [judge(place, ours, madeUp)];
}

function askWith(key: string, { url }: Place, signal: AbortSignal): Promise<Reply> {
  const headers = {
    Authorization: `Token ${key}`,
    Accept: 'application/json',
    'Content-Type': 'application/json',
  };
  return ask({ url, headers }, signal);
}

function judge(place: Place, ours: Reply, madeUp: Reply): Verdict {
  const { name } = place;
  if (!ours.answered) return unreachable(place, ours.reason);
  const { status, headers } = ours;
  if (isRefusal(ours)) return refusedKey(name, status);
  if (status >= 500 || status === 429) return troubled(name, status);
  if (status >= 300 && status < 400) return elsewhere(name, status);
  if (!headers.get('content-type')?.includes('json')) return notTheService(name, status);
  if (!isRefusal(madeUp)) return unproven(name, status);
  return ok(`The service at ${name} answers and takes the key.`);
}

function isRefusal(reply: Reply): boolean {
  return reply.answered && (reply.status === 401 || reply.status === 403);
}

function unreachable({ name, url }: Place, reason: string): Verdict {
  return error({
    what: `The service at ${name} (${new URL(url).host}) cannot be reached: ${reason}.`,
    why: 'Nobody can pay, and payments that were made are not found.',
    mend: `Check ${name}, this machine’s network and its firewall. With the simulator: is it running (npm start)?`,
  });
}

function refusedKey(name: string, status: number): Verdict {
  return error({
    what: `The service at ${name} refuses PAYMENTS_API_KEY (${status}).`,
    why: 'Nobody can pay, and payments that were made are not found.',
    mend: 'Compare the key with the one in the service’s dashboard, and whether it is of the same environment as the address.',
  });
}

function troubled(name: string, status: number): Verdict {
  return warning({
    what: `The service at ${name} is there and in trouble (${status}).`,
    why: 'While that lasts nobody can pay, and whether the key is taken cannot be told.',
    mend: 'Look at the service’s status page, and run the doctor again later.',
  });
}

function elsewhere(name: string, status: number): Verdict {
  return error({
    what: `${name} sends us elsewhere (${status}).`,
    why: 'The shop follows no redirect with its key in hand, so nobody can pay.',
    mend: `Write the service’s own address into ${name}: scheme and host as in its documentation.`,
  });
}

function notTheService(name: string, status: number): Verdict {
  return error({
    what: `What answers at ${name} does not speak JSON (${status}).`,
    why: 'It is a page or a proxy and not the service: nobody can pay.',
    mend: `Write the address of the service’s API into ${name}, not that of its dashboard.`,
  });
}

function unproven(name: string, status: number): Verdict {
  return warning({
    what: `${name} answers a made-up key as it answers ours (${status}): whether ours is taken cannot be told.`,
    why: 'The address may be that of another program, or lack a part of its path.',
    mend: `Compare ${name} with the service’s documentation, then run npm run contract with test keys.`,
  });
}
