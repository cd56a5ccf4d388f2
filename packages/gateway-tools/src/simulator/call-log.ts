/** Records each request between shop and gateway with its response, for tests and for the list at `/wire`. */
import type { Call, Fault } from './faults.js';

interface LoggedResponse {
  readonly status?: number;
  /** Why there is no complete response: cut before it, cut during it, or the reason of the HTTP client. */
  readonly failure?: 'before' | 'during' | string;
  readonly body: string;
}

export interface LogEntry {
  readonly id: number;
  readonly kind: 'call' | 'webhook';
  /** Absent for webhooks and for unknown addresses. */
  readonly call?: Call | undefined;
  readonly event?: string;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly fault?: Fault | undefined;
  response?: LoggedResponse & { readonly durationMs: number };
}

const maxBodyLength = 16_384;
const minStored = 5_000;

/** At least the last 5,000 entries are available. */
export class CallLog {
  #entries: LogEntry[] = [];
  #lastId = 0;

  /** Records a request. The returned function records its response; only the first call of it counts. */
  start(request: Omit<LogEntry, 'id' | 'response'>): (response: LoggedResponse) => void {
    this.#lastId += 1;
    const startedAt = performance.now();
    const entry: LogEntry = { ...request, requestBody: truncate(request.requestBody), id: this.#lastId };
    if (this.#entries.length >= minStored * 2) this.#entries = this.#entries.slice(-minStored);
    this.#entries.push(entry);
    return (response) => {
      const durationMs = performance.now() - startedAt;
      entry.response ??= { ...response, body: truncate(response.body), durationMs };
    };
  }

  /** The calls that tests and the drill read. `status` is absent without a complete response. */
  calls(wanted?: Call) {
    return this.#entries.flatMap(({ call, at, method, path, headers, requestBody, response }) => {
      if (call === undefined || (wanted !== undefined && call !== wanted)) return [];
      const status = response?.failure === undefined ? response?.status : undefined;
      return [{ call, at, method, path, headers, body: jsonOrText(requestBody), status }];
    });
  }

  /** The newest entries, oldest first. */
  latest(limit: number): readonly LogEntry[] {
    return this.#entries.slice(-limit);
  }

  clear(): void {
    this.#entries = [];
  }
}

/** Copies the text through a buffer, because a substring would retain the whole string in memory. */
function truncate(text: string): string {
  return text.length <= maxBodyLength ? text : Buffer.from(text.slice(0, maxBodyLength)).toString();
}

function jsonOrText(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
