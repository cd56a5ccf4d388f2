/** Checks that the gateway answers and accepts the API key. Looks up ids that do not exist, so nothing is created. */
import { randomUUID } from 'node:crypto';
import { ask, type Reply } from '../ask.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

const NO_PAYMENT = '00000000-0000-4000-8000-000000000000';
const NO_SESSION = 'cs_0_0_000000000000000000000000000000000000000000000000';

/** Looks up a session that does not exist at CHECKOUT_API_URL. */
export function lookAtCheckoutApi({ config, secrets }: Patient, signal: AbortSignal): Promise<Verdict[]> {
  const url = `${config.payments.checkoutApiUrl}/checkout/v1/sessions/${NO_SESSION}`;
  return lookAt({ name: 'CHECKOUT_API_URL', url, key: secrets.apiKey }, signal);
}

/** Looks up a transaction that does not exist at PAYMENTS_BASE_URL. */
export function lookAtPaymentsApi({ config, secrets }: Patient, signal: AbortSignal): Promise<Verdict[]> {
  const url = `${config.payments.baseUrl}/api/v1/transactions/${NO_PAYMENT}/`;
  return lookAt({ name: 'PAYMENTS_BASE_URL', url, key: secrets.apiKey }, signal);
}

interface Place {
  readonly name: 'CHECKOUT_API_URL' | 'PAYMENTS_BASE_URL';
  readonly url: string;
  readonly key: string;
}

/** Also sends a random key. If the gateway does not reject it, the response to the configured key proves nothing. */
async function lookAt(place: Place, signal: AbortSignal): Promise<Verdict[]> {
  const [ours, madeUp] = await Promise.all([
    askWith(place.key, place, signal),
    askWith(`wrong_${randomUUID()}`, place, signal),
  ]);
  return [evaluatePayment(place, ours, madeUp)];
}

function askWith(key: string, { url }: Place, signal: AbortSignal): Promise<Reply> {
  const headers = {
    Authorization: `Token ${key}`,
    Accept: 'application/json',
    'Content-Type': 'application/json',
  };
  return ask({ url, headers }, signal);
}

function evaluatePayment(place: Place, ours: Reply, madeUp: Reply): Verdict {
  const { name } = place;
  if (!ours.answered) return unreachable(place, ours.reason);
  const { status, headers } = ours;
  if (isRefusal(ours)) return refusedKey(name, status);
  if (status >= 500 || status === 429) return troubled(name, status);
  if (status >= 300 && status < 400) return elsewhere(name, status);
  if (!headers.get('content-type')?.includes('json')) return notTheGateway(name, status);
  if (!isRefusal(madeUp)) return unproven(name, status);
  return ok(`The gateway at ${name} answers and accepts the key.`);
}

function isRefusal(reply: Reply): boolean {
  return reply.answered && (reply.status === 401 || reply.status === 403);
}

function unreachable({ name, url }: Place, reason: string): Verdict {
  return error({
    what: `The gateway at ${name} (${new URL(url).host}) cannot be reached: ${reason}.`,
    why: 'Customers cannot pay, and the shop cannot look up payments.',
    mend: `Check ${name}, this machine’s network and its firewall. If you use the simulator, start it (npm start).`,
  });
}

function refusedKey(name: string, status: number): Verdict {
  return error({
    what: `The gateway at ${name} refuses PAYMENTS_API_KEY (${status}).`,
    why: 'Customers cannot pay, and the shop cannot look up payments.',
    mend: 'Compare the key with the gateway’s dashboard. Key and URL must belong to the same environment.',
  });
}

function troubled(name: string, status: number): Verdict {
  return warning({
    what: `The gateway at ${name} is there and in trouble (${status}).`,
    why: 'Customers cannot pay during the failure, and the key cannot be checked.',
    mend: 'Check the gateway’s status page, and run the doctor again later.',
  });
}

function elsewhere(name: string, status: number): Verdict {
  return error({
    what: `${name} sends us elsewhere (${status}).`,
    why: 'The shop never follows a redirect with its API key, so customers cannot pay.',
    mend: `Set ${name} to the gateway’s URL, with scheme and host as in its documentation.`,
  });
}

function notTheGateway(name: string, status: number): Verdict {
  return error({
    what: `What answers at ${name} does not speak JSON (${status}).`,
    why: 'The response comes from a web page or a proxy, not from the gateway. Customers cannot pay.',
    mend: `Set ${name} to the URL of the gateway’s API, not of its dashboard.`,
  });
}

function unproven(name: string, status: number): Verdict {
  return warning({
    what: `${name} answers a made-up key like the configured one (${status}), so the key cannot be verified.`,
    why: 'The URL may belong to another program or lack a part of its path.',
    mend: `Compare ${name} with the gateway’s documentation, then run npm run contract with test keys.`,
  });
}
