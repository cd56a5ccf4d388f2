/** The faults that a person can choose at the start page. */
import type { Fault } from './faults.js';
import type { Words } from './words-es.js';

export interface Preset {
  readonly name: string;
  readonly fault: Fault;
  readonly label: keyof Words;
  readonly proves: keyof Words;
}

const bigBytes = 200_000_000;
const limited = { error: { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after: 5 } };
const cents = { amount: 0.01, amount_total: 1 };
const evil = 'http://localhost:9/elsewhere';

function preset(name: string, fault: Fault, label: FaultWord): Preset {
  return { name, fault, label, proves: `${label}Proves` };
}

type FaultWord =
  Extract<keyof Words, `fault${string}Proves`> extends `${infer Word}Proves` ? Word & keyof Words : never;

export const presets: readonly Preset[] = [
  preset('late', { kind: 'latency', ms: 8000 }, 'faultLatency'),
  preset('hang', { kind: 'hang' }, 'faultHang'),
  preset('drip', { kind: 'drip', bytesPerSecond: 5 }, 'faultDrip'),
  preset('drop-before', { kind: 'drop', when: 'before' }, 'faultBefore'),
  preset('drop-after', { kind: 'drop', when: 'after' }, 'faultAfter'),
  preset('status-503', { kind: 'status', status: 503 }, 'faultDown'),
  preset('status-401', { kind: 'status', status: 401 }, 'faultKey'),
  preset(
    'status-429',
    { kind: 'status', status: 429, headers: { 'Retry-After': '5' }, body: limited },
    'faultLimit',
  ),
  preset(
    'html',
    { kind: 'raw', body: '<!doctype html><h1>Bad gateway</h1>', contentType: 'text/html' },
    'faultHtml',
  ),
  preset('amount', { kind: 'rewrite', set: cents }, 'faultAmount'),
  preset('huge', { kind: 'huge', bytes: bigBytes }, 'faultHuge'),
  preset('gzip-bomb', { kind: 'gzip-bomb', bytes: bigBytes }, 'faultBomb'),
  preset('redirect', { kind: 'redirect', location: evil }, 'faultRedirect'),
];

/** A planned fault in words: those of its preset, or its technical ones. */
export function faultLabel(fault: Fault, w: Words): string {
  const told = JSON.stringify(fault);
  const known = presets.find((candidate) => JSON.stringify(candidate.fault) === told);
  if (known !== undefined) return w[known.label];
  const detail = 'status' in fault ? fault.status : 'when' in fault ? fault.when : undefined;
  return detail === undefined ? fault.kind : `${fault.kind} ${detail}`;
}
