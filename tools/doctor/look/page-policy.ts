/** Checks that the Content-Security-Policy of the checkout page allows a form redirect to the hosted page. */
import { ask } from '../ask.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtPagePolicy(
  { config }: Patient,
  signal: AbortSignal,
): Promise<readonly Verdict[]> {
  const page = config.paymentFlows.includes('hosted') ? '/checkout' : '/checkout/card';
  const reply = await ask({ url: `${config.publicUrl}${page}` }, signal);
  if (!reply.answered) return [unseen(reply.reason)];
  const policies = policiesIn(reply.headers.get('content-security-policy') ?? '');
  if (policies.length === 0) return [unseen(`status ${reply.status} without a policy`)];
  const barred = config.payments.pageOrigins.filter(
    (origin) => !policies.every((policy) => allowsForm(policy, origin)),
  );
  return [
    barred.length === 0 ? ok('The checkout page lets its form lead to the payment page.') : bars(barred),
  ];
}

/** A proxy may add a second policy. Browsers enforce all policies of a response. */
function policiesIn(header: string): string[] {
  return header.split(',').filter((policy) => policy.trim() !== '');
}

function allowsForm(policy: string, origin: string): boolean {
  const directive = policy.split(';').map((part) => part.trim().split(/\s+/));
  const sources = directive.find(([name]) => name?.toLowerCase() === 'form-action')?.slice(1);
  return sources === undefined || sources.some((source) => matches(source, origin));
}

function matches(source: string, origin: string): boolean {
  if (source === '*' || source === origin || source === new URL(origin).protocol) return true;
  const [, anyPort] = /^(.*):\*$/.exec(source) ?? [];
  return anyPort !== undefined && origin.startsWith(`${anyPort}:`);
}

function bars(origins: readonly string[]): Verdict {
  return error({
    what: `The checkout page’s policy (CSP form-action) bars the payment page at ${origins.join(' and ')}.`,
    why: 'The browser blocks the redirect to the payment page without a message.',
    mend: 'Restart the shop with these settings. If it has them, stop the proxy from changing Content-Security-Policy.',
  });
}

function unseen(why: string): Verdict {
  return warning({
    what: `The checkout page’s policy (CSP) could not be seen: ${why}.`,
    why: 'The policy blocks foreign scripts and must allow the form to redirect to the payment page.',
    mend: 'Start the shop. If it is running, configure the proxy to forward Content-Security-Policy unchanged.',
  });
}
