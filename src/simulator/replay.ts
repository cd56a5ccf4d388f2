/** Answers the shop's calls as a recording says, order by order. */
import { basename } from 'node:path';
import { type Conversation, idIn, orderIn, type Recorded, sortRecording } from './conversations.js';
import type { Call, Fault } from './faults.js';
import { amountsBetween, namesBetween, type Present, presentJson } from './present-values.js';
import { recordedFault } from './recorded-fault.js';
import { type RecordedLine, readRecording } from './recording.js';
import { type Asked, makeStandIn, nowhere } from './stand-in.js';
import { isRecord } from './validate.js';

export interface Played {
  readonly fault: Fault;
  /** Milliseconds to wait before it. */
  readonly ms: number;
}

/** A present order and the recorded one that it walks through. */
export interface Run {
  readonly order: string;
  readonly conversation: Conversation;
  readonly played: Record<'create-session' | 'process', number>;
}

/** A present session or payment that stands for a recorded one. */
interface Attempt {
  readonly lines: readonly RecordedLine[];
  readonly present: Present;
  played: number;
}

export interface ReplayOptions {
  readonly path: string;
  /** Of the time that an answer took then, it waits so much at most; without it, not at all. */
  readonly mostDelayMs?: number;
}

export class Replay {
  readonly recorded: Recorded;
  /** The file's. */
  readonly name: string;
  readonly #mostDelayMs: number;
  #runs: Run[] = [];
  #attempts = new Map<string, Attempt>();
  /** Recorded pseudonym → what stood for it last: an answer may name another order. */
  #names = new Map<string, string>();
  #accessTokens = 0;

  /** Throws when the file cannot be read, or is no recording. */
  constructor({ path, mostDelayMs = 0 }: ReplayOptions) {
    this.recorded = sortRecording(readRecording(path));
    this.name = basename(path);
    this.#mostDelayMs = mostDelayMs;
  }

  /** The recorded answer to this call; nothing when the recording has none, and the simulator answers by itself. */
  next(asked: Asked): Played | undefined {
    switch (asked.call) {
      case 'create-session':
      case 'process':
        return this.#begin(asked, asked.call);
      case 'read-session':
      case 'read-transaction':
        return this.#read(asked);
      case 'tokenization-auth':
        return this.#accessToken();
      default:
        return undefined;
    }
  }

  /** The present orders that took part, in order. */
  runs(): readonly Run[] {
    return this.#runs;
  }

  /** From the beginning. */
  rewind(): void {
    this.#runs = [];
    this.#attempts = new Map();
    this.#names = new Map();
    this.#accessTokens = 0;
  }

  #begin(asked: Asked, call: 'create-session' | 'process'): Played | undefined {
    const run = this.#runOf(orderIn(asked.body), call);
    const line = run && nth(linesOf(run.conversation, call), run.played[call]);
    if (run === undefined || line === undefined) return undefined;
    run.played[call] += 1;
    return this.#played(line, this.#presentOf(asked, line, run.conversation));
  }

  #read({ id }: Asked): Played | undefined {
    const attempt = this.#attempts.get(id);
    const line = attempt && nth(attempt.lines, attempt.played);
    if (attempt === undefined || line === undefined) return undefined;
    attempt.played += 1;
    return this.#played(line, attempt.present);
  }

  /** A good token is the simulator's own, or no card could be entered. */
  #accessToken(): Played | undefined {
    const line = nth(this.recorded.accessTokens, this.#accessTokens);
    this.#accessTokens += 1;
    if (line === undefined) return undefined;
    const { status = 0, json } = line.answer ?? {};
    const good = status < 300 && isRecord(json) && typeof json['access_token'] === 'string';
    return good ? undefined : this.#played(line, nothingKnown);
  }

  /** A new order takes the first recorded one that nobody took; when all are taken, the last one once more. */
  #runOf(order: string | undefined, call: Call): Run | undefined {
    if (order === undefined) return undefined;
    const known = this.#runs.find((run) => run.order === order);
    if (known) return known;
    const fitting = this.recorded.conversations.filter((all) => linesOf(all, call).length > 0);
    const free = fitting.find((one) => !this.#runs.some(({ conversation }) => conversation === one));
    const conversation = free ?? fitting.at(-1);
    if (conversation === undefined) return undefined;
    const run = { order, conversation, played: { 'create-session': 0, process: 0 } };
    this.#runs.push(run);
    return run;
  }

  /** What stands for the names of a line now; the session or payment that it names is made, and remembered. */
  #presentOf(asked: Asked, line: RecordedLine, conversation: Conversation): Present {
    const names = new Map([...this.#names, ...namesBetween(line.request.body, asked.body)]);
    this.#names = names;
    const amounts = amountsBetween(line.request.body, asked.body);
    const recordedId = idIn(line) ?? '';
    const lines = conversation.reads.get(recordedId);
    // An answer without an id, or with one that is another order's, makes nothing.
    if (lines === undefined) return { names, amounts, ...nowhere };
    const { id, page, elsewhere } = makeStandIn(asked);
    names.set(recordedId, id);
    const present = { names, amounts, page, elsewhere };
    this.#attempts.set(id, { lines, present, played: 0 });
    return present;
  }

  #played(line: RecordedLine, present: Present): Played {
    const fault = recordedFault(line, (json) => presentJson(json, present));
    return { fault, ms: Math.min(line.ms, this.#mostDelayMs) };
  }
}

const nothingKnown: Present = { names: new Map(), ...nowhere };

function linesOf({ begun }: Conversation, call: Call): readonly RecordedLine[] {
  return begun.filter((line) => line.call === call);
}

/** The last one repeats. */
function nth(lines: readonly RecordedLine[], index: number): RecordedLine | undefined {
  return lines[Math.min(index, lines.length - 1)];
}
