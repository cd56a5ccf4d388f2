/** Sorts recorded exchanges by the order that they were about. */
import type { Call } from './faults.js';
import type { RecordedLine } from './recording.js';
import { isRecord } from './validate.js';

/** All that was said about one order. */
export interface Conversation {
  /** Sessions asked for and payments sent, in order. */
  readonly begun: readonly RecordedLine[];
  /** Lookups, by the recorded id that was asked for; each id that this order was the first to be given is there. */
  readonly reads: ReadonlyMap<string, readonly RecordedLine[]>;
}

export interface Recorded {
  readonly conversations: readonly Conversation[];
  /** Calls that are about no order, in order. */
  readonly accessTokens: readonly RecordedLine[];
  /** How many lookups belong to no order whose beginning was recorded. */
  readonly leftOut: number;
}

interface Growing {
  readonly begun: RecordedLine[];
  readonly reads: Map<string, RecordedLine[]>;
}

const beginnings: readonly Call[] = ['create-session', 'process'];

export function sortRecording(lines: readonly RecordedLine[]): Recorded {
  const byOrder = new Map<string, Growing>();
  const byId = new Map<string, Growing>();
  let leftOut = 0;
  for (const line of lines) {
    if (beginnings.includes(line.call)) begin(line, { byOrder, byId });
    else if (line.call !== 'tokenization-auth' && !read(line, byId)) leftOut += 1;
  }
  return {
    conversations: [...byOrder.values()],
    accessTokens: lines.filter(({ call }) => call === 'tokenization-auth'),
    leftOut,
  };
}

/** The name of an order in the request that begins something for it. */
export function orderIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {};
  const names = [metadata['order_number'], body['external_id'], body['client_reference']];
  return names.find((name): name is string => typeof name === 'string');
}

/** The id that an answer gives to what it is about. */
export function idIn(line: RecordedLine): string | undefined {
  const json = line.answer?.json;
  return isRecord(json) && typeof json['id'] === 'string' ? json['id'] : undefined;
}

interface Known {
  readonly byOrder: Map<string, Growing>;
  readonly byId: Map<string, Growing>;
}

function begin(line: RecordedLine, { byOrder, byId }: Known): void {
  const order = orderIn(line.request.body) ?? '';
  const conversation: Growing = byOrder.get(order) ?? { begun: [], reads: new Map() };
  byOrder.set(order, conversation);
  conversation.begun.push(line);
  const id = idIn(line);
  // An id that another order had first stays with it.
  if (id === undefined || byId.has(id)) return;
  byId.set(id, conversation);
  conversation.reads.set(id, []);
}

function read(line: RecordedLine, byId: ReadonlyMap<string, Growing>): boolean {
  const id = line.request.id ?? '';
  const lines = byId.get(id)?.reads.get(id);
  lines?.push(line);
  return lines !== undefined;
}
