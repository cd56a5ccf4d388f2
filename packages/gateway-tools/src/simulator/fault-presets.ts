/** The faults of the start page's form, and the texts of faults and calls. */
import { type Call, type Fault, rateLimitFault } from './faults.js';
import type { PageContext, Text } from './render.js';

interface Preset {
  readonly fault: Fault;
  readonly text: Text;
}

const html = '<!doctype html><h1>Bad gateway</h1>';

/** All other faults are for `/_control/fault`. */
export const presets = {
  faultLatency: {
    fault: { kind: 'latency', ms: 8000 },
    text: ['Respuesta con 8 s de retraso', 'Response delayed by 8 s'],
  },
  faultHang: { fault: { kind: 'hang' }, text: ['Sin respuesta', 'No response'] },
  faultDropBefore: {
    fault: { kind: 'drop', when: 'before' },
    text: ['Conexión cortada antes de procesar la llamada', 'Connection cut before the call is processed'],
  },
  faultDropAfter: {
    fault: { kind: 'drop', when: 'after' },
    text: ['Conexión cortada después de procesar la llamada', 'Connection cut after the call is processed'],
  },
  fault503: { fault: { kind: 'status', status: 503 }, text: ['Error 503', 'Error 503'] },
  fault401: { fault: { kind: 'status', status: 401 }, text: ['Error 401', 'Error 401'] },
  fault429: { fault: rateLimitFault(5), text: ['Error 429 (esperar 5 s)', 'Error 429 (wait 5 s)'] },
  faultHtml: {
    fault: { kind: 'raw', body: html, contentType: 'text/html' },
    text: ['Página HTML con estado 200', 'HTML page with status 200'],
  },
  faultAmount: {
    fault: { kind: 'rewrite', set: { amount: 0.01, amount_total: 1 } },
    text: ['Monto de 1 centavo', 'Amount of 1 centavo'],
  },
} as const satisfies Record<string, Preset>;

export const callTexts: Readonly<Record<Call, Text>> = {
  'create-session': ['Crear la sesión', 'Create the session'],
  'read-session': ['Consultar la sesión', 'Look up the session'],
  process: ['Cobrar con tarjeta', 'Charge the card'],
  refund: ['Reembolsar el pago', 'Refund the payment'],
  'read-transaction': ['Consultar el pago', 'Look up the payment'],
  'tokenization-auth': ['Pedir acceso al tokenizador', 'Request access to the tokenizer'],
  tokenize: ['Tokenizar la tarjeta', 'Tokenize the card'],
};

/** The text of a preset, or the kind of any other fault. */
export function faultLabel(fault: Fault, { translate }: PageContext): string {
  const json = JSON.stringify(fault);
  const preset = Object.values(presets).find((each) => JSON.stringify(each.fault) === json);
  if (preset !== undefined) return translate(preset.text);
  const detail = 'status' in fault ? fault.status : 'when' in fault ? fault.when : undefined;
  return detail === undefined ? fault.kind : `${fault.kind} ${detail}`;
}
