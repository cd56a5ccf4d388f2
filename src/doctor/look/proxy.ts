/** Whether TRUST_PROXY fits what stands in front of the shop, as far as an answer shows it. */
import { isLoopbackHost } from '../../core/environments.js';
import { ask, type Reply } from '../ask.js';
import { graver, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtProxies(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const reply = await ask({ url: `${patient.config.publicUrl}/healthz` }, signal);
  return [judge(patient, tracesIn(reply))];
}

/** The shop itself speaks plain http and sets none of these. */
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
  /** Hops that gave their name in Via; there may be more. */
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

function judge({ config, production }: Patient, { names, hops }: Traces): Verdict {
  const { trustProxy, publicUrl } = config;
  const { protocol, hostname } = new URL(publicUrl);
  const isThere = protocol === 'https:' || names.length > 0;
  if (trustProxy === 0 && isThere) return graver(production, untrusted(protocol, names));
  if (trustProxy < hops) return graver(production, tooFew(trustProxy, hops));
  if (trustProxy > 0 && !isThere && isLoopbackHost(hostname)) return warning(unseen(trustProxy));
  return trustProxy === 0 ? ok('No proxy is trusted, and none is seen.') : note(uncounted(trustProxy));
}

const WHY_FEW =
  'To the shop all visitors have the proxy’s address: the limits on payment attempts hit them all at once.';
const COUNT = 'Count what a request passes before the shop: CDN, load balancer, proxy. Write that number.';

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
    why: 'Whoever reaches the shop directly may claim any address, and so escape the limits on payment attempts.',
    mend: 'Write 0 when no proxy stands in front.',
  };
}

function uncounted(trusted: number) {
  return {
    what: `TRUST_PROXY is ${trusted}: whether it is exact cannot be told from here.`,
    why: 'One too few, and all visitors share one limit; one too many, and each may claim any address.',
    mend: `${COUNT} The shop’s own port must be reachable by the last of them only.`,
  };
}
