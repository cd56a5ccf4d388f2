/** The faults that can be injected into responses, and their queue. */
import { z } from 'zod';

export const callSchema = z.enum([
  'create-session',
  'read-session',
  'process',
  'refund',
  'read-transaction',
  'tokenization-auth',
  'tokenize',
]);

export type Call = z.infer<typeof callSchema>;

const status = z.int().min(200).max(599);
const headers = z.record(z.string(), z.string()).optional();
/** Whether the call has its effect although its response is replaced. */
const apply = z.boolean().optional();
const bytes = z.int().positive();

export const faultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latency'), ms: z.number().min(0) }),
  z.object({ kind: z.literal('hold') }),
  z.object({ kind: z.literal('drip'), bytesPerSecond: z.number().positive() }),
  z.object({ kind: z.literal('drop'), when: z.enum(['before', 'after']) }),
  z.object({ kind: z.literal('hang'), apply }),
  z.object({ kind: z.literal('status'), status, body: z.unknown().optional(), headers, apply }),
  z.object({
    kind: z.literal('raw'),
    status: status.optional(),
    body: z.string(),
    contentType: z.string().optional(),
    headers,
    apply,
  }),
  z.object({
    kind: z.literal('rewrite'),
    set: z.record(z.string(), z.unknown()),
    remove: z.array(z.string()).readonly().optional(),
  }),
  z.object({ kind: z.literal('huge'), bytes }),
  z.object({ kind: z.literal('gzip-bomb'), bytes }),
  z.object({ kind: z.literal('redirect'), location: z.string() }),
]);

export type Fault = Readonly<z.infer<typeof faultSchema>>;

/** The documented response of the gateway's rate limit. */
export function rateLimitFault(seconds: number): Fault {
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after: seconds };
  return { kind: 'status', status: 429, headers: { 'Retry-After': String(seconds) }, body: { error } };
}

export interface PlannedFault {
  readonly call: Call;
  readonly fault: Fault;
  /** Infinity: until the faults are cleared. */
  left: number;
}

/** Planned faults, in order; each applies to its own call only. */
export class FaultQueue {
  #planned: PlannedFault[] = [];
  readonly #held = new Set<() => void>();

  plan(call: Call, fault: Fault, times: number): void {
    this.#planned.push({ call, fault, left: times });
  }

  /** Returns the fault for this call and counts it as used once. */
  take(call: Call): Fault | undefined {
    const next = this.#planned.find((planned) => planned.call === call);
    if (next === undefined) return undefined;
    next.left -= 1;
    this.#planned = this.#planned.filter(({ left }) => left > 0);
    return next.fault;
  }

  /** Resolves at the next `release`. */
  async hold(): Promise<void> {
    await new Promise<void>((resolve) => this.#held.add(resolve));
  }

  release(): void {
    for (const resolve of this.#held) resolve();
    this.#held.clear();
  }

  clear(): void {
    this.#planned = [];
    this.release();
  }

  list(): readonly Readonly<PlannedFault>[] {
    return this.#planned;
  }
}
