/** Whether a browser on the card page could hand card data to the vault: the question that it asks beforehand. */
import { ask, type Reply } from '../ask.js';
import { ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtVault({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  if (!config.waysToPay.includes('card')) return [ok('No card page, so no vault is needed.')];
  const reply = await ask(
    {
      url: config.payments.tokenizerUrl,
      method: 'OPTIONS',
      headers: {
        Origin: config.publicUrl,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-skyflow-authorization',
      },
    },
    signal,
  );
  return [judge(reply, config.publicUrl)];
}

function judge(reply: Reply, origin: string): Verdict {
  if (!reply.answered) return barred(`it cannot be reached, ${reply.reason}`);
  const allowed = reply.headers.get('access-control-allow-origin');
  if (reply.status >= 400) return barred(`status ${reply.status}`);
  if (allowed !== '*' && allowed !== origin) return barred('it lets no page of PUBLIC_URL in');
  return ok('The vault takes card data from a browser on this shop’s card page.');
}

function barred(reason: string): Verdict {
  return warning({
    what: `The vault at TOKENIZER_URL would take no card data from this shop’s card page: ${reason}.`,
    why: 'Nobody can pay on the shop’s own card page; the service’s payment page is not concerned.',
    mend: 'Compare TOKENIZER_URL with the service’s documentation, and have PUBLIC_URL allowed there (CORS). Or offer the payment page only.',
  });
}
