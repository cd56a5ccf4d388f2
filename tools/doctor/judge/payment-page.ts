/** Checks that the shop accepts redirects to the gateway's hosted page. */
import { safeRedirect } from '../../../src/domain/redirect.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export function judgePaymentPage({ config, given, production }: Patient): readonly Verdict[] {
  const { pageOrigins, simulated, checkoutApiUrl } = config.payments;
  const barred = pageOrigins.filter((page) => !mayLeadTo(page, production));
  if (barred.length > 0) return [refused(barred)];
  if (given['CHECKOUT_PAGE_ORIGINS'] || simulated || isHere(checkoutApiUrl))
    return [ok(`The shop may redirect customers to ${pageOrigins.join(' and ')}.`)];
  return [guessed(pageOrigins.join(' and '))];
}

function mayLeadTo(page: string, production: boolean): boolean {
  const rules = { origins: [page], allowLoopbackHttp: !production };
  return safeRedirect(`${page}/`, rules) !== undefined;
}

function isHere(url: string): boolean {
  return mayLeadTo(new URL(url).origin, false) && url.startsWith('http:');
}

function refused(barred: readonly string[]): Verdict {
  return error({
    what: `The payment page at ${barred.join(' and ')} is plain http: the shop rejects it.`,
    why: 'Every hosted checkout would end with an error, although the gateway opened a page.',
    mend: 'Set CHECKOUT_PAGE_ORIGINS to the https origin of the payment page.',
  });
}

function guessed(origin: string): Verdict {
  return warning({
    what: `CHECKOUT_PAGE_ORIGINS is not set: a payment page anywhere but at ${origin} is refused.`,
    why: 'Many gateways serve the payment page from another host than their API. Then no hosted checkout succeeds.',
    mend: 'Set it to the origin of the payment page. npm run contract shows it from a session of the test environment.',
  });
}
