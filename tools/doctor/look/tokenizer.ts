/** Checks that the card page may call the tokenizer. Sends the CORS preflight request of a browser. */
import { ask, type Reply } from '../ask.js';
import { ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtTokenizer({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  if (!config.paymentFlows.includes('card')) return [ok('No card page, so no tokenizer is needed.')];
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
  return [evaluatePayment(reply, config.publicUrl)];
}

function evaluatePayment(reply: Reply, origin: string): Verdict {
  if (!reply.answered) return barred(`it cannot be reached, ${reply.reason}`);
  const allowed = reply.headers.get('access-control-allow-origin');
  if (reply.status >= 400) return barred(`status ${reply.status}`);
  if (allowed !== '*' && allowed !== origin) return barred('it lets no page of PUBLIC_URL in');
  return ok('The tokenizer accepts card data from this shop’s card page.');
}

function barred(reason: string): Verdict {
  return warning({
    what: `The tokenizer at TOKENIZER_URL does not accept card data from this shop’s card page: ${reason}.`,
    why: 'Customers cannot pay on the shop’s own card page. The gateway’s payment page is not affected.',
    mend: 'Compare TOKENIZER_URL with the gateway’s documentation, and have PUBLIC_URL allowed there (CORS). Or offer the payment page only.',
  });
}
