/** Whether a shopper can be sent to the service's payment page. */
import { safeRedirect } from '../../core/redirect.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export function judgePaymentPage({ config, given, production }: Patient): readonly Verdict[] {
  const { pageOrigins, simulated, checkoutApiUrl } = config.payments;
  const barred = pageOrigins.filter((page) => !mayLeadTo(page, production));
  if (barred.length > 0) return [refused(barred)];
  if (given['CHECKOUT_PAGE_ORIGINS'] || simulated || isHere(checkoutApiUrl))
    return [ok(`Shoppers may be sent to ${pageOrigins.join(' and ')}.`)];
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
    what: `The payment page at ${barred.join(' and ')} is plain http: the shop sends nobody there.`,
    why: 'Every hosted checkout would end in an error, although the service opened a page.',
    mend: 'Write the https address of the payment page into CHECKOUT_PAGE_ORIGINS.',
  });
}

function guessed(origin: string): Verdict {
  return warning({
    what: `CHECKOUT_PAGE_ORIGINS is not set: a payment page anywhere but at ${origin} is refused.`,
    why: 'Services often keep the payment page on another host than their API; then no hosted checkout succeeds.',
    mend: 'Write the origin of the payment page. npm run contract shows it, from a session of the test environment.',
  });
}
