/** What can be made to go wrong, and the queue of it. */
import { z } from 'zod';

export const callSchema = z.enum([
  'create-session',
  'read-session',
  'process',
  'read-transaction',
  'tokenization-auth',
  'tokenize',
]);

/** The calls of the service that a merchant's server or page makes. */
export type Call = z.infer<typeof callSchema>;

export const calls: readonly Call[] = callSchema.options;

/** One thing that goes wrong; `apply` means that the effect happens although the answer is spoilt. */
export type Fault =
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'hold' }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number }
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | { readonly kind: 'hang'; readonly apply?: boolean | undefined }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly apply?: boolean | undefined;
    }
  | {
      readonly kind: 'raw';
      readonly status?: number | undefined;
      readonly body: string;
      readonly contentType?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly apply?: boolean | undefined;
    }
  | {
      readonly kind: 'rewrite';
      readonly set: Readonly<Record<string, unknown>>;
      readonly remove?: readonly string[] | undefined;
    }
  | { readonly kind: 'huge'; readonly bytes: number }
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly location: string };

const status = z.int().min(200).max(599);
const apply = z.boolean().optional();
const headers = z.record(z.string(), z.string()).optional();

export const faultSchema: z.ZodType<Fault> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latency'), ms: z.number().min(0) }),
  z.object({ kind: z.literal('hold') }),
  z.object({ kind: z.literal('drip'), bytesPerSecond: z.number().positive() }),
  z.object({ kind: z.literal('drop'), when: z.enum(['before', 'after']) }),
  z.object({ kind: z.literal('hang'), apply }),
  z.object({
    kind: z.literal('status'),
    status,
    body: z.unknown().optional(),
    headers,
    apply,
  }),
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
    remove: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('huge'), bytes: z.int().positive() }),
  z.object({ kind: z.literal('gzip-bomb'), bytes: z.int().positive() }),
  z.object({ kind: z.literal('redirect'), location: z.string() }),
]);

export interface PlannedFault {
  readonly call: Call;
  readonly fault: Fault;
  /** Infinity: until they are cleared. */
  readonly left: number;
}

/** Faults wait in order, each for the calls that it was planned for. */
export class FaultQueue {
  #planned: PlannedFault[] = [];
  readonly #held = new Set<() => void>();

  plan(call: Call, fault: Fault, times: number): void {
    this.#planned.push({ call, fault, left: times });
  }

  /** The fault for this call, used up by one. */
  take(call: Call): Fault | undefined {
    const index = this.#planned.findIndex((planned) => planned.call === call);
    const next = this.#planned[index];
    if (next === undefined) return undefined;
    this.#planned.splice(index, 1, ...(next.left > 1 ? [{ ...next, left: next.left - 1 }] : []));
    return next.fault;
  }

  /** Comes to an end at the next `release`. */
  async hold(): Promise<void> {
    await new Promise<void>((resolve) => this.#held.add(resolve));
  }

  /** Lets every held answer go. */
  release(): void {
    for (const go of this.#held) go();
    this.#held.clear();
  }

  /** Forgets what was planned; held answers go. */
  clear(): void {
    this.#planned = [];
    this.release();
  }

  list(): readonly PlannedFault[] {
    return [...this.#planned];
  }
}
