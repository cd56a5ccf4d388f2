/** Checks PUBLIC_URL: cookies, links and reachability. */
import { isLoopbackHost } from '../../../src/domain/gateway-hosts.js';
import { error, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export function judgePublicAddress({ config, production }: Patient): readonly Verdict[] {
  const { protocol, hostname } = new URL(config.publicUrl);
  if (isLoopbackHost(hostname)) {
    const gatewayIsHere = isLoopbackHost(new URL(config.payments.checkoutApiUrl).hostname);
    return [
      gatewayIsHere && !production ? ok('Shop and gateway are on this machine.') : onlyHere(production),
    ];
  }
  if (protocol === 'https:') return [ok('Cookies are Secure and named __Host-: PUBLIC_URL is https.')];
  // In production, the validation of the settings already rejects this.
  return production ? [] : [plain];
}

function onlyHere(production: boolean): Verdict {
  const trouble = {
    what: 'PUBLIC_URL names this very machine.',
    why: 'Customers cannot return to it from the payment page, and the gateway’s webhooks cannot reach it.',
    mend: 'Set it to the public URL of the shop. To test a real gateway from a local machine, open a tunnel and set its URL.',
  };
  return production ? error(trouble) : warning(trouble);
}

const plain = warning({
  what: 'PUBLIC_URL is plain http.',
  why: 'Cookies have no Secure flag and no __Host- prefix. A network attacker can take over carts and orders.',
  mend: 'Put a proxy with a TLS certificate in front of the shop, and set PUBLIC_URL to https://…',
});
