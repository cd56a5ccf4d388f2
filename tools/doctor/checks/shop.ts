/** Checks that contact the shop at PUBLIC_URL. They create no cart, no order and no webhook event. */
import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookAuth } from '@tianguis/payments/rules';
import { PAYMENTS_TEXT } from '../../../src/shop/payments-version.js';
import { DOCTOR_HEADERS } from '../../../src/shop/rules/doctor.js';
import type { Check, DoctorContext, Problem } from '../check.js';

export const shopChecks: readonly Check[] = [
  { name: 'shop', contacts: 'PUBLIC_URL', run: checkShop },
  { name: 'payments', contacts: 'PUBLIC_URL', run: checkPayments },
  { name: 'client address', contacts: 'PUBLIC_URL', run: checkClientAddress },
  { name: 'webhooks', contacts: 'PUBLIC_URL', run: checkWebhooks },
  { name: 'cookies', contacts: 'PUBLIC_URL', run: checkCookies },
  { name: 'content security policy', contacts: 'PUBLIC_URL', run: checkContentSecurityPolicy },
];

async function checkShop({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const { status, text } = await send(`${config.publicUrl}/healthz`);
  if (status !== 200 || text !== 'ok')
    return {
      level: 'error',
      what: `Another program answers at PUBLIC_URL (${status} at /healthz).`,
      why: 'Customers return from the payment page to another program, or the proxy does not reach the shop.',
      fix: 'Configure the proxy to forward every path of PUBLIC_URL to the shop. Check the shop’s host and port there.',
    };
  const ready = await send(`${config.publicUrl}/readyz`);
  if (ready.status === 200) return undefined;
  return {
    level: 'error',
    what: 'The shop runs but cannot accept orders (/readyz).',
    why: 'It has no database connection, or it is stopping.',
    fix: 'Check the shop’s log and the database result of this report.',
  };
}

/** Compares the payments of the running shop with those of this program. */
async function checkPayments(context: DoctorContext): Promise<Problem | undefined> {
  const running = (await askProbe(context))?.get(DOCTOR_HEADERS.payments) ?? PAYMENTS_TEXT;
  if (running === PAYMENTS_TEXT) return undefined;
  return {
    level: 'warning',
    what: `The running shop has the payments ${running}, and this program has ${PAYMENTS_TEXT}.`,
    why: 'What differs in these files, such as a fix, does not run.',
    fix: 'Restart every process of the shop.',
  };
}

/** Returns the headers that the shop sends to the doctor alone. Absent without its secret: development may have a generated one. */
async function askProbe({ config, secrets, send }: DoctorContext, headers = {}): Promise<Headers | undefined> {
  if (secrets.sessionSecrets === undefined) return undefined;
  const key = createHmac('sha256', secrets.sessionSecrets[0]).update(DOCTOR_HEADERS.key).digest('base64url');
  return (await send(`${config.publicUrl}/healthz`, { headers: { ...headers, [DOCTOR_HEADERS.key]: key } })).headers;
}

/** An address for documentation (RFC 5737), which no client has. */
const FORGED = '192.0.2.1';

/** Sends a forged `X-Forwarded-For`, and checks what the shop gets instead of it. */
async function checkClientAddress(context: DoctorContext): Promise<Problem | undefined> {
  const headers = await askProbe(context, { 'X-Forwarded-For': FORGED });
  const client = headers?.get(DOCTOR_HEADERS.client);
  // A shop that was started with other settings, or another program.
  if (headers === undefined || client === null) return undefined;
  const forwarded = decodeURIComponent(headers.get(DOCTOR_HEADERS.forwarded) ?? '');
  const isProxied = context.config.trustProxy > 0;
  const problem = { why: 'All customers share one limit, or each client chooses its own.', fix: ADDRESS_FIX };
  if (!isProxied && forwarded !== FORGED)
    return { ...problem, level: 'error', what: `A proxy sends X-Forwarded-For (${forwarded}), and TRUST_PROXY is 0.` };
  if (isProxied && forwarded === '')
    return { ...problem, level: 'error', what: 'TRUST_PROXY is set, and the proxy sends no X-Forwarded-For.' };
  if (isProxied && client === FORGED)
    return { ...problem, level: 'error', what: `The shop believes a forged X-Forwarded-For. It got: ${forwarded}.` };
  if (isProxied && client === 'unreadable')
    return {
      ...problem,
      level: 'error',
      what: `The proxy sends no readable address in X-Forwarded-For: ${forwarded}.`,
    };
  if (!isProxied || !/\]|\d\.\d+:\d/.test(forwarded)) return undefined;
  return {
    level: 'note',
    what: `The proxy sends addresses with a port in X-Forwarded-For: ${forwarded}.`,
    why: 'The shop ignores the port. Other programs that read the header may not.',
    fix: 'No action is needed.',
  };
}

const ADDRESS_FIX =
  'Let the proxy replace X-Forwarded-For by the address of the client, and set TRUST_PROXY to the number of proxies.';

/** Not a JSON object: a shop that accepts the credential answers 400 and stores nothing. */
const INVALID_EVENT = 'Tianguis doctor: not a webhook event';
const LATE = 'The shop then finds payments only through its own lookups, which takes longer.';

/** Checks that the webhook address accepts the gateway's credential and rejects others. */
async function checkWebhooks(context: DoctorContext): Promise<Problem | undefined> {
  const { webhookAuth } = context.secrets;
  if (webhookAuth === undefined) return undefined;
  const name = webhookAuth.scheme === 'header' ? webhookAuth.credentials[0].name : 'authorization';
  const wrong = { scheme: 'header', credentials: [{ name, value: `Bearer wrong-${randomUUID()}` }] } as const;
  const [reply, wrongReply] = await Promise.all([sendEvent(context, webhookAuth), sendEvent(context, wrong)]);
  if (reply.status === 401)
    return {
      level: 'error',
      what: 'The webhook address refuses the credential of WEBHOOK_AUTH (401).',
      why: `The shop rejects every webhook of the gateway. ${LATE}`,
      fix: 'Restart the shop with these settings. If it has them, its proxy removes the header with the credential.',
    };
  if (reply.status !== 400)
    return {
      level: 'error',
      what: `The response of the webhook address is not from the shop (${reply.status}).`,
      why: `The gateway’s webhooks do not reach the shop. ${LATE}`,
      fix: 'Configure the proxy to forward POST /webhooks/payments to the shop unchanged, without redirect or login.',
    };
  if (webhookAuth.scheme === 'none' || wrongReply.status === 401) return undefined;
  return {
    level: 'error',
    what: `The webhook address accepts a wrong credential (${wrongReply.status}).`,
    why: 'Any client can send webhooks. Each one causes a database write and a lookup at the gateway.',
    fix: 'Restart the shop with these settings. If it has them, stop its proxy from adding the credential.',
  };
}

const headerOf = ({ name, value }: { readonly name: string; readonly value: string }) => ({ [name]: value });

function sendEvent({ config, send }: DoctorContext, auth: WebhookAuth) {
  return send(`${config.publicUrl}/webhooks/payments`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', ...(auth.scheme === 'header' && headerOf(auth.credentials[0])) },
    body: INVALID_EVENT,
  });
}

/** Changes the locale, because its cookie needs no row in the database. */
async function checkCookies({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const { publicUrl, locales } = config;
  const { status, headers } = await send(`${publicUrl}/language`, {
    method: 'POST',
    headers: { Origin: publicUrl },
    body: new URLSearchParams({ lang: locales[0], back: '/' }),
  });
  const cookie = headers.getSetCookie().find((line) => line.startsWith('lang='));
  const attributes = cookie?.split('; ') ?? [];
  const secure = publicUrl.startsWith('https:');
  if (status === 403 || (!secure && attributes.includes('Secure')))
    return {
      level: 'error',
      what: 'The running shop refuses forms of PUBLIC_URL: it was started with another PUBLIC_URL.',
      why: 'Customers cannot add to a cart, and links lead to another address.',
      fix: 'Restart the shop with these settings.',
    };
  const expected = ['HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
  const missing = expected.filter((attribute) => !attributes.includes(attribute));
  if (missing.length === 0) return undefined;
  return {
    level: 'error',
    what: cookie ? `Cookies arrive without ${missing.join(' and ')}.` : `No cookie arrives (status ${status}).`,
    why: 'Without cookies customers have no cart. Without their flags, attackers could use a customer’s session.',
    fix: 'Restart the shop with these settings, or configure the proxy to forward POST requests and Set-Cookie unchanged.',
  };
}

/** Checks that the policy of the checkout page allows its form to lead to the payment page. */
async function checkContentSecurityPolicy({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const page = config.paymentFlows.includes('hosted') ? '/checkout' : '/checkout/card';
  const { headers } = await send(`${config.publicUrl}${page}`);
  // A proxy may add a second policy. Browsers enforce all policies of a response.
  const policies = headers.get('content-security-policy')?.split(',') ?? [];
  const blocked = config.payments.pageOrigins.filter(
    (origin) => !policies.every((policy) => allowsForm(policy, origin)),
  );
  if (blocked.length === 0) return undefined;
  return {
    level: 'error',
    what: `The Content-Security-Policy of the checkout page (form-action) blocks the payment page at ${blocked.join(' and ')}.`,
    why: 'The browser blocks the redirect to the payment page without a message.',
    fix: 'Restart the shop with these settings, or stop the proxy from changing Content-Security-Policy.',
  };
}

function allowsForm(policy: string, origin: string): boolean {
  const sources = /form-action\s+([^;]*)/i.exec(policy)?.[1]?.split(/\s+/);
  return sources === undefined || ['*', 'https:', origin].some((allowed) => sources.includes(allowed));
}
