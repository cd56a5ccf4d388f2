/** Each request between shop and service with its answer, once: what tests count and what the wire view shows. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Call, Fault } from './faults.js';

/** What is known when a request begins. */
export interface Beginning {
  readonly kind: 'call' | 'webhook';
  /** Absent for webhooks and for addresses that the service does not have. */
  readonly call?: Call | undefined;
  /** What a webhook tells. */
  readonly event?: string;
  /** The simulator's own clock. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Without their secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: string;
}

/** How it ended: with a whole answer, or with a reason why there was none. */
export interface Ending {
  readonly status?: number | undefined;
  readonly lost?: 'before' | 'during' | string;
  readonly answer: string;
}

export interface Exchange extends Beginning {
  readonly id: number;
  /** Grows with each change of any exchange. */
  readonly revision: number;
  readonly fault?: Fault | undefined;
  /** Absent while unanswered. */
  readonly end?: Ending & { readonly ms: number };
}

/** A call as tests and drills look at it. */
export interface RecordedCall {
  readonly call: Call;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Absent while unanswered, and for good when the connection was cut. */
  readonly status?: number;
}

/** Of a body no more is kept. */
export const bodyLimit = 16_384;
/** As many of the latest exchanges are worth a person's look. */
const shown = 200;
const kept = 5_000;
const keptCharacters = 32_000_000;

type Open = { -readonly [K in keyof Exchange]: Exchange[K] } & { readonly startedAt: number };

export class Exchanges {
  #all: Open[] = [];
  #characters = 0;
  #revision = 0;
  readonly #listeners = new Set<() => void>();
  /** Changes when everything is forgotten: revisions of another epoch mean nothing. */
  epoch = newEpoch();

  /** Writes a request down; the function that comes back writes its end down, once. */
  begin(beginning: Beginning, fault?: Fault): (ending: Ending) => void {
    this.#revision += 1;
    const id = this.#revision;
    const open: Open = {
      ...beginning,
      sent: cut(beginning.sent),
      id,
      revision: id,
      fault,
      startedAt: performance.now(),
    };
    this.#all.push(open);
    this.#weigh(open.sent.length);
    this.#tell();
    return (ending) => this.#finish(open, ending);
  }

  calls(call?: Call): readonly RecordedCall[] {
    return this.#all.flatMap((exchange) => {
      if (exchange.call === undefined || (call !== undefined && exchange.call !== call)) return [];
      const { at, method, path, headers, sent, end } = exchange;
      const status = end?.lost === undefined ? end?.status : undefined;
      const body = readable(sent);
      return [
        { call: exchange.call, at, method, path, headers, body, ...(status !== undefined && { status }) },
      ];
    });
  }

  /** The latest exchanges in the order in which they began. */
  latest(): readonly Exchange[] {
    return this.#all.slice(-shown);
  }

  /** Those of the latest that changed after a revision, in the order in which they changed. */
  changedAfter(revision: number): readonly Exchange[] {
    return this.latest()
      .filter((exchange) => exchange.revision > revision)
      .sort((one, other) => one.revision - other.revision);
  }

  get revision(): number {
    return this.#revision;
  }

  /** Calls back after every change; the function that comes back ends that. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#all = [];
    this.#characters = 0;
    this.epoch = newEpoch();
    this.#tell();
  }

  #finish(open: Open, ending: Ending): void {
    if (open.end !== undefined) return;
    this.#revision += 1;
    open.revision = this.#revision;
    open.end = { ...ending, answer: cut(ending.answer), ms: performance.now() - open.startedAt };
    this.#weigh(open.end.answer.length);
    this.#tell();
  }

  #weigh(characters: number): void {
    this.#characters += characters;
    if (this.#all.length <= kept * 2 && this.#characters <= keptCharacters) return;
    this.#all = this.#all.slice(-Math.min(kept, Math.ceil(this.#all.length / 2)));
    this.#characters = this.#all.reduce(
      (sum, { sent, end }) => sum + sent.length + (end?.answer.length ?? 0),
      0,
    );
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function cut(text: string): string {
  // By way of bytes: a slice of a string would hold on to all of it.
  return text.length <= bodyLimit ? text : Buffer.from(text.slice(0, bodyLimit)).toString();
}

/** The JSON of a body, or its text. */
function readable(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function newEpoch(): string {
  return randomUUID().slice(0, 8);
}
