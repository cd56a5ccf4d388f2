/** Checks that contact the shop at PUBLIC_URL. They create no cart and no order. */
import type { DoctorContext, Problem } from '../check.js';

export async function checkShop({ config, production, send }: DoctorContext): Promise<Problem | undefined> {
  const health = await send({ url: `${config.publicUrl}/healthz` });
  if (!health.answered)
    return {
      level: 'error',
      what: `PUBLIC_URL cannot be reached: ${health.reason}.`,
      why: 'Customers cannot reach the shop and cannot return to it from the payment page.',
      fix: production
        ? 'Start the shop, and check DNS, certificate, proxy and firewall from another network.'
        : 'Start the shop (npm start) and run the doctor again. With --offline it checks only settings and files.',
    };
  if (health.status !== 200 || health.text !== 'ok')
    return {
      level: 'error',
      what: `Another program answers at PUBLIC_URL (${health.status} at /healthz).`,
      why: 'Customers return from the payment page to another program, or the proxy does not reach the shop.',
      fix: 'Configure the proxy to forward every path of PUBLIC_URL to the shop. Check the shop’s host and port there.',
    };
  const ready = await send({ url: `${config.publicUrl}/readyz` });
  if (ready.answered && ready.status === 200) return undefined;
  return {
    level: 'error',
    what: 'The shop runs but cannot accept orders (/readyz).',
    why: 'It has no database connection, or it is stopping.',
    fix: 'Check the shop’s log and the database result of this report.',
  };
}

/** The check `shop` reports the reason. */
const NOT_CHECKED: Problem = {
  level: 'note',
  what: 'Not checked, because PUBLIC_URL cannot be reached.',
  why: 'The result of this check is unknown.',
  fix: 'Start the shop, and run the doctor again.',
};

/** Changes the locale, because its cookie needs no row in the database. */
export async function checkCookies({ config, send }: DoctorContext): Promise<Problem | undefined> {
  const { publicUrl, locales } = config;
  const reply = await send({
    url: `${publicUrl}/language`,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: publicUrl },
    body: `lang=${locales[0]}&back=/`,
  });
  if (!reply.answered) return NOT_CHECKED;
  const cookie = reply.headers.getSetCookie().find((line) => line.startsWith('lang='));
  const attributes = cookie?.split('; ') ?? [];
  const secure = publicUrl.startsWith('https:');
  if (reply.status === 403 || (!secure && attributes.includes('Secure')))
    return {
      level: 'error',
      what: 'The running shop refuses forms of PUBLIC_URL: it was started with another PUBLIC_URL.',
      why: 'Customers cannot add to a cart, and links lead to another address.',
      fix: 'Restart the shop with these settings.',
    };
  const expected = ['HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])];
  const missing = expected.filter((attribute) => !attributes.includes(attribute));
  if (cookie !== undefined && missing.length === 0) return undefined;
  return {
    level: cookie === undefined ? 'warning' : 'error',
    what:
      cookie === undefined
        ? `The shop’s response has no cookie (status ${reply.status}).`
        : `Cookies arrive without ${missing.join(' and ')}.`,
    why: 'Without cookies customers have no cart. Without their flags, attackers could use a customer’s session.',
    fix: 'Restart the shop with these settings, or configure the proxy to forward POST requests and Set-Cookie unchanged.',
  };
}

/** Checks that the Content-Security-Policy of the checkout page allows the redirect to the payment page. */
export async function checkContentSecurityPolicy({
  config,
  send,
}: DoctorContext): Promise<Problem | undefined> {
  const page = config.paymentFlows.includes('hosted') ? '/checkout' : '/checkout/card';
  const reply = await send({ url: `${config.publicUrl}${page}` });
  if (!reply.answered) return NOT_CHECKED;
  const header = reply.headers.get('content-security-policy');
  if (!header)
    return {
      level: 'warning',
      what: `The checkout page has no Content-Security-Policy (status ${reply.status}).`,
      why: 'The policy blocks scripts of other sites, which could read card data.',
      fix: 'Configure the proxy to forward Content-Security-Policy unchanged.',
    };
  // A proxy may add a second policy. Browsers enforce all policies of a response.
  const policies = header.split(',');
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
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  const sources = directives.find(([name]) => name?.toLowerCase() === 'form-action');
  if (sources === undefined) return true;
  const { protocol, hostname } = new URL(origin);
  const allowed = ['*', protocol, origin, `${protocol}//${hostname}:*`];
  return sources.slice(1).some((source) => allowed.includes(source));
}

/** The shop itself serves plain HTTP and sets none of these headers. */
const PROXY_HEADERS = ['via', 'server', 'x-cache', 'x-served-by', 'cf-ray', 'x-amz-cf-id'];

/** Compares TRUST_PROXY with the proxies that a response shows. Not every proxy adds a header. */
export async function checkTrustProxy({
  config,
  production,
  send,
}: DoctorContext): Promise<Problem | undefined> {
  const { trustProxy, publicUrl } = config;
  const reply = await send({ url: `${publicUrl}/healthz` });
  if (!reply.answered) return NOT_CHECKED;
  const hasProxy = publicUrl.startsWith('https:') || PROXY_HEADERS.some((name) => reply.headers.has(name));
  const viaCount = reply.headers.get('via')?.split(',').length ?? 0;
  const minimum = Math.max(viaCount, hasProxy ? 1 : 0);
  if (trustProxy >= minimum) return undefined;
  return {
    level: production ? 'error' : 'warning',
    what: `TRUST_PROXY is ${trustProxy}, and the response shows ${minimum} or more proxies.`,
    why: 'The shop sees the proxy’s IP address for all customers, so they share the limits on payment attempts.',
    fix: 'Set TRUST_PROXY to the number of proxies in front of the shop: CDN, load balancer, proxy.',
  };
}
