/** What follows from PUBLIC_URL alone: cookies, links, who can reach the shop. */
import { isLoopbackHost } from '../../core/environments.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export function judgePublicAddress({ config, production }: Patient): readonly Verdict[] {
  const { protocol, hostname } = new URL(config.publicUrl);
  if (isLoopbackHost(hostname)) {
    const serviceIsHere = isLoopbackHost(new URL(config.payments.checkoutApiUrl).hostname);
    return [
      serviceIsHere && !production ? ok('Shop and service are on this machine.') : onlyHere(production),
    ];
  }
  if (protocol === 'https:') return [ok('Cookies are Secure and named __Host-: PUBLIC_URL is https.')];
  // In production that is refused, and told with the settings themselves.
  return production ? [] : [plain];
}

function onlyHere(production: boolean): Verdict {
  const trouble = {
    what: 'PUBLIC_URL names this very machine.',
    why: 'No shopper comes back to it from the payment page, and no message of the service reaches it.',
    mend: 'Write the address that shoppers see. To try a real service from your desk, open a tunnel and write its address.',
  };
  return production ? error(trouble) : warning(trouble);
}

const plain = warning({
  what: 'PUBLIC_URL is plain http.',
  why: 'Cookies are not Secure and carry no __Host-: who listens in on the way takes over carts and orders.',
  mend: 'Put a proxy with a certificate in front of the shop, and write https://…',
});
