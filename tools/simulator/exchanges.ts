/** Records each request between shop and gateway with its response, for tests and for the list at `/wire`. */
import type { Call, Fault } from './faults.js';

/** What is known when a request begins. */
export interface Beginning {
  readonly kind: 'call' | 'webhook';
  /** Absent for webhooks and for unknown addresses. */
  readonly call?: Call | undefined;
  /** The name of a webhook event. */
  readonly event?: string;
  /** Milliseconds by the simulator's clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: string;
  readonly fault?: Fault | undefined;
}

export interface Ending {
  readonly status?: number | undefined;
  /** Why there was no complete response: cut before it, cut during it, or the reason of the HTTP client. */
  readonly lost?: 'before' | 'during' | string;
  readonly answer: string;
}

export interface Exchange extends Beginning {
  readonly id: number;
  /** Absent while there is no response. */
  end?: Ending & { readonly ms: number };
}

/** A call in the form that tests and the drill read. */
export interface RecordedCall {
  readonly call: Call;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Absent while there is no response, and after a cut connection. */
  readonly status?: number;
}

/** Characters that are stored of a body. */
export const bodyLimit = 16_384;
const listed = 100;
const stored = 5_000;

/** The recorded exchanges. At least the last 5,000 are available. */
export class Exchanges {
  #all: Exchange[] = [];
  #lastId = 0;

  /** Records a request; the returned function records its end, once. */
  begin(beginning: Beginning): (ending: Ending) => void {
    this.#lastId += 1;
    const startedAt = performance.now();
    const exchange: Exchange = { ...beginning, sent: cut(beginning.sent), id: this.#lastId };
    if (this.#all.length >= stored * 2) this.#all = this.#all.slice(-stored);
    this.#all.push(exchange);
    return (ending) => {
      exchange.end ??= { ...ending, answer: cut(ending.answer), ms: performance.now() - startedAt };
    };
  }

  calls(wanted?: Call): readonly RecordedCall[] {
    return this.#all.flatMap(({ call, at, method, path, headers, sent, end }) => {
      if (call === undefined || (wanted !== undefined && call !== wanted)) return [];
      const status = end?.lost === undefined ? end?.status : undefined;
      const body = jsonOrText(sent);
      return [{ call, at, method, path, headers, body, status }];
    });
  }

  /** The last 100, oldest first. */
  latest(): readonly Exchange[] {
    return this.#all.slice(-listed);
  }

  clear(): void {
    this.#all = [];
  }
}

/** Copies the text through a buffer, because a substring keeps the whole string in memory. */
function cut(text: string): string {
  return text.length <= bodyLimit ? text : Buffer.from(text.slice(0, bodyLimit)).toString();
}

function jsonOrText(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
