/** Checks that contact the gateway. They look up ids that do not exist, so nothing is created. */
import { randomUUID } from 'node:crypto';
import { type Check, type DoctorContext, offersCard, type Problem, type Reply } from '../check.js';

const UNKNOWN_PAYMENT = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_SESSION = 'cs_0_0_000000000000000000000000000000000000000000000000';

export const gatewayChecks: readonly Check[] = [
  {
    name: 'checkout gateway',
    contacts: 'CHECKOUT_API_URL',
    run: (context) => checkApi('CHECKOUT_API_URL', sessionUrl(context), context),
  },
  {
    name: 'payments gateway',
    contacts: 'PAYMENTS_BASE_URL',
    run(context) {
      const url = `${context.config.payments.baseUrl}/api/v1/transactions/${UNKNOWN_PAYMENT}/`;
      return checkApi('PAYMENTS_BASE_URL', url, context);
    },
  },
  { name: 'tokenizer', contacts: 'TOKENIZER_URL', concerns: offersCard, run: checkTokenizer },
  { name: 'clock', contacts: 'CHECKOUT_API_URL', run: checkClock },
];

function sessionUrl({ config }: DoctorContext): string {
  return `${config.payments.checkoutApiUrl}/checkout/v1/sessions/${UNKNOWN_SESSION}`;
}

/** Also sends a random key. If the gateway does not reject it, the response to the configured key proves nothing. */
async function checkApi(setting: string, url: string, { secrets, send }: DoctorContext): Promise<Problem | undefined> {
  const lookUp = (key: string) =>
    send(url, { headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' } });
  const [reply, randomKeyReply] = await Promise.all([lookUp(secrets.apiKey), lookUp(`wrong_${randomUUID()}`)]);
  const { status, headers } = reply;
  if (refusesKey(reply))
    return {
      level: 'error',
      what: `The gateway at ${setting} refuses PAYMENTS_API_KEY (${status}).`,
      why: 'Customers cannot pay, and the shop cannot look up payments.',
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
      why: 'The shop follows no redirect of a payment and reads only JSON, so customers cannot pay.',
      fix: `Set ${setting} to the URL of the gateway’s API, with scheme and host as in its documentation.`,
    };
  if (refusesKey(randomKeyReply)) return undefined;
  return {
    level: 'warning',
    what: `${setting} answers a random key like the configured one (${status}), so the key cannot be verified.`,
    why: 'The URL may belong to another program or lack a part of its path.',
    fix: `Compare ${setting} with the gateway’s documentation, then run npm run contract with test keys.`,
  };
}

function refusesKey({ status }: Reply): boolean {
  return status === 401 || status === 403;
}

/** Sends the CORS preflight request of the card page. */
async function checkTokenizer({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const { status, headers } = await send(config.payments.tokenizerUrl, {
    method: 'OPTIONS',
    headers: {
      Origin: config.publicUrl,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-skyflow-authorization',
    },
  });
  const allowed = headers.get('access-control-allow-origin');
  if (status < 400 && (allowed === '*' || allowed === config.publicUrl)) return undefined;
  return {
    level: 'warning',
    what: `The tokenizer at TOKENIZER_URL does not accept card data from this shop’s card page (status ${status}, CORS allows ${allowed ?? 'no origin'}).`,
    why: 'Customers cannot pay on the shop’s own card page. The gateway’s payment page is not affected.',
    fix: 'Compare TOKENIZER_URL with the gateway’s documentation, and have PUBLIC_URL allowed there (CORS). Or set PAYMENT_FLOWS=hosted.',
  };
}

/** Above the resolution of the `Date` header (1 s) and the delay of a response (5 s). */
const TOLERANCE_MS = 10_000;
/** The shop closes an expired session after 2 min. The gateway must have closed it by then. */
const MAX_DRIFT_MS = 2 * 60_000;

async function checkClock(context: DoctorContext): Promise<Problem | undefined> {
  const { headers } = await context.send(sessionUrl(context));
  const aheadMs = Date.now() - Date.parse(headers.get('date') ?? '');
  const driftMs = Math.abs(aheadMs);
  if (driftMs < TOLERANCE_MS) return undefined;
  return {
    level: driftMs < MAX_DRIFT_MS ? 'warning' : 'error',
    what: `This machine’s clock is ${Math.round(driftMs / 1000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway’s.`,
    why: 'The gateway may refuse to open a payment page, or accept a payment after the shop has closed the page.',
    fix: 'Enable time synchronization (NTP) with timedatectl set-ntp true, and run the doctor again.',
  };
}
