/** Checks that contact the gateway. They look up ids that do not exist, so nothing is created. */
import { randomUUID } from 'node:crypto';
import type { DoctorContext, Problem } from '../check.js';
import type { Reply } from '../send-request.js';

const UNKNOWN_PAYMENT = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_SESSION = 'cs_0_0_000000000000000000000000000000000000000000000000';

export function checkCheckoutApi(context: DoctorContext): Promise<Problem | undefined> {
  const url = `${context.config.payments.checkoutApiUrl}/checkout/v1/sessions/${UNKNOWN_SESSION}`;
  return checkApi('CHECKOUT_API_URL', url, context);
}

export function checkPaymentsApi(context: DoctorContext): Promise<Problem | undefined> {
  const url = `${context.config.payments.baseUrl}/api/v1/transactions/${UNKNOWN_PAYMENT}/`;
  return checkApi('PAYMENTS_BASE_URL', url, context);
}

/** Also sends a random key. If the gateway does not reject it, the response to the configured key proves nothing. */
async function checkApi(
  setting: string,
  url: string,
  { secrets, send }: DoctorContext,
): Promise<Problem | undefined> {
  const lookUp = (key: string) =>
    send({ url, headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' } });
  const [reply, randomKeyReply] = await Promise.all([
    lookUp(secrets.apiKey),
    lookUp(`wrong_${randomUUID()}`),
  ]);
  const why = 'Customers cannot pay, and the shop cannot look up payments.';
  if (!reply.answered)
    return {
      level: 'error',
      what: `The gateway at ${setting} (${new URL(url).host}) cannot be reached: ${reply.reason}.`,
      why,
      fix: `Check ${setting}, this machine’s network and its firewall. If you use the simulator, start it (npm start).`,
    };
  const { status, headers } = reply;
  if (refusesKey(reply))
    return {
      level: 'error',
      what: `The gateway at ${setting} refuses PAYMENTS_API_KEY (${status}).`,
      why,
      fix: 'Compare the key with the gateway’s dashboard. Key and URL must belong to the same environment.',
    };
  if (status >= 500 || status === 429)
    return {
      level: 'warning',
      what: `The gateway at ${setting} is temporarily unavailable (${status}).`,
      why: 'Customers cannot pay during the failure, and the key cannot be checked.',
      fix: 'Check the gateway’s status page, and run the doctor again later.',
    };
  if ((status >= 300 && status < 400) || !headers.get('content-type')?.includes('json'))
    return {
      level: 'error',
      what: `${setting} is not the gateway’s API: its response is a redirect or no JSON (${status}).`,
      why: 'The shop follows no redirect with its API key and reads only JSON, so customers cannot pay.',
      fix: `Set ${setting} to the URL of the gateway’s API, with scheme and host as in its documentation.`,
    };
  if (!refusesKey(randomKeyReply))
    return {
      level: 'warning',
      what: `${setting} answers a random key like the configured one (${status}), so the key cannot be verified.`,
      why: 'The URL may belong to another program or lack a part of its path.',
      fix: `Compare ${setting} with the gateway’s documentation, then run npm run contract with test keys.`,
    };
  return undefined;
}

function refusesKey(reply: Reply): boolean {
  return reply.answered && (reply.status === 401 || reply.status === 403);
}

/** Sends the CORS preflight request of the card page. */
export async function checkTokenizer({ config, send }: DoctorContext): Promise<Problem | undefined> {
  if (!config.paymentFlows.includes('card')) return undefined;
  const reply = await send({
    url: config.payments.tokenizerUrl,
    method: 'OPTIONS',
    headers: {
      Origin: config.publicUrl,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-skyflow-authorization',
    },
  });
  const reason = tokenizerRefusal(reply, config.publicUrl);
  if (reason === undefined) return undefined;
  return {
    level: 'warning',
    what: `The tokenizer at TOKENIZER_URL does not accept card data from this shop’s card page: ${reason}.`,
    why: 'Customers cannot pay on the shop’s own card page. The gateway’s payment page is not affected.',
    fix: 'Compare TOKENIZER_URL with the gateway’s documentation, and have PUBLIC_URL allowed there (CORS). Or set PAYMENT_FLOWS=hosted.',
  };
}

function tokenizerRefusal(reply: Reply, origin: string): string | undefined {
  if (!reply.answered) return reply.reason;
  if (reply.status >= 400) return `status ${reply.status}`;
  const allowed = reply.headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin ? undefined : 'CORS does not allow PUBLIC_URL';
}

/** The `Date` header has a resolution of 1 s, and the response may be delayed. */
const TOLERANCE_MS = 10_000;
/** The shop closes an expired session after 2 min. The gateway must have closed it by then. */
const MAX_DRIFT_MS = 2 * 60_000;
/** The gateway refuses other times until `expires_at` (docs/gateway-interface.md, section 8). */
const MIN_TTL_MS = 30 * 60_000;
const MAX_TTL_MS = 24 * 60 * 60_000;

export async function checkClock({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const sentAt = Date.now();
  const reply = await send({ url: `${config.payments.checkoutApiUrl}/checkout/v1/sessions/clock` });
  const halfMs = (Date.now() - sentAt) / 2;
  const gatewayTime = reply.answered ? Date.parse(reply.headers.get('date') ?? '') : Number.NaN;
  const aheadMs = sentAt + halfMs - gatewayTime;
  const driftMs = Math.abs(aheadMs);
  if (Number.isNaN(gatewayTime))
    return {
      level: 'note',
      what: 'Not checked, because there is no Date header of the gateway.',
      why: 'The end of a payment page depends on the clocks of shop and gateway.',
      fix: 'Check with timedatectl that time synchronization (NTP) is on.',
    };
  if (driftMs - halfMs < TOLERANCE_MS) return undefined;
  const gatewayTtlMs = config.orderTtlMs + aheadMs;
  const accepted = gatewayTtlMs >= MIN_TTL_MS && gatewayTtlMs <= MAX_TTL_MS;
  return {
    level: accepted && driftMs < MAX_DRIFT_MS ? 'warning' : 'error',
    what: `This machine’s clock is ${Math.round(driftMs / 1000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway’s.`,
    why: 'The gateway may refuse to open a payment page, or accept a payment after the shop has closed the page.',
    fix: 'Enable time synchronization (NTP) with timedatectl set-ntp true, and run the doctor again.',
  };
}
