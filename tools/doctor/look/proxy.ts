/** Compares TRUST_PROXY with the proxies that a response reveals. */
import { isLoopbackHost } from '../../../src/domain/gateway-hosts.js';
import { ask, type Reply } from '../ask.js';
import { graver, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtProxies(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const reply = await ask({ url: `${patient.config.publicUrl}/healthz` }, signal);
  return [evaluatePayment(patient, tracesIn(reply))];
}

/** The shop itself serves plain HTTP and sets none of these headers. */
const TRACES = [
  'via',
  'server',
  'x-cache',
  'x-served-by',
  'cf-ray',
  'x-amz-cf-id',
  'x-envoy-upstream-service-time',
];

interface Traces {
  readonly names: readonly string[];
  /** Number of proxies in the `Via` header. Further proxies may not add themselves. */
  readonly hops: number;
}

function tracesIn(reply: Reply): Traces {
  if (!reply.answered) return { names: [], hops: 0 };
  const via = reply.headers.get('via');
  return {
    names: TRACES.filter((name) => reply.headers.has(name)),
    hops: via === null ? 0 : via.split(',').length,
  };
}

function evaluatePayment({ config, production }: Patient, { names, hops }: Traces): Verdict {
  const { trustProxy, publicUrl } = config;
  const { protocol, hostname } = new URL(publicUrl);
  const isThere = protocol === 'https:' || names.length > 0;
  if (trustProxy === 0 && isThere) return graver(production, untrusted(protocol, names));
  if (trustProxy < hops) return graver(production, tooFew(trustProxy, hops));
  if (trustProxy > 0 && !isThere && isLoopbackHost(hostname)) return warning(unseen(trustProxy));
  return trustProxy === 0 ? ok('No proxy is trusted, and none was detected.') : note(uncounted(trustProxy));
}

const WHY_FEW =
  'The shop sees the proxy’s IP address for all customers, so they share the limits on payment attempts.';
const COUNT = 'Set TRUST_PROXY to the number of proxies in front of the shop: CDN, load balancer, proxy.';

function untrusted(protocol: string, names: readonly string[]) {
  const sign =
    names.length > 0 ? `the answer carries ${names.join(', ')}` : `PUBLIC_URL is ${protocol.slice(0, -1)}`;
  return { what: `TRUST_PROXY is 0, and a proxy is there: ${sign}.`, why: WHY_FEW, mend: COUNT };
}

function tooFew(trusted: number, hops: number) {
  return {
    what: `TRUST_PROXY is ${trusted}, and ${hops} proxies name themselves (Via).`,
    why: WHY_FEW,
    mend: COUNT,
  };
}

function unseen(trusted: number) {
  return {
    what: `TRUST_PROXY is ${trusted}, and no proxy is seen.`,
    why: 'A client that reaches the shop directly can claim any IP address and so evade the limits on payment attempts.',
    mend: 'Set TRUST_PROXY to 0 if there is no proxy in front of the shop.',
  };
}

function uncounted(trusted: number) {
  return {
    what: `TRUST_PROXY is ${trusted}: whether it is exact cannot be told from here.`,
    why: 'If it is too low, all customers share one limit. If it is too high, a client can claim any IP address.',
    mend: `${COUNT} Only the last proxy may reach the shop’s port.`,
  };
}
