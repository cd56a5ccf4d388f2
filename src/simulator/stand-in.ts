/** The simulator's own session or payment, which stands for a recorded one. */
import { randomUUID } from 'node:crypto';
import type { Call } from './faults.js';
import { isRecord } from './validate.js';

/** A call that is to be answered as it was recorded. */
export interface Asked {
  readonly call: Call;
  /** The id in the address, for a lookup. */
  readonly id: string;
  /** The JSON of the body, if it has one. */
  readonly body: unknown;
  /** What the simulator itself answers; asking for it applies the effect. */
  readonly real: () => { readonly body: unknown };
  /** The simulator's own address. */
  readonly home: string;
}

export interface StandIn {
  readonly id: string;
  /** See `Present`. */
  readonly page: string;
  readonly elsewhere: string;
}

/** Of all that a shop could be told, the address that is certainly not its payment page. */
export const nowhere = {
  page: 'https://elsewhere.example/',
  elsewhere: 'https://elsewhere.example/',
} as const;

/** Makes it, so that a shopper can see its pages; what the simulator refuses gets a name only. */
export function makeStandIn({ call, body, real, home }: Asked): StandIn {
  const answer = real().body;
  const id = String(memberAt(answer, 'id') ?? randomUUID());
  if (call === 'create-session')
    return { id, page: String(memberAt(answer, 'url') ?? `${home}/`), elsewhere: nowhere.elsewhere };
  const bank = memberAt(answer, 'next_action', 'redirect_to_url', 'url') ?? memberAt(body, 'return_url');
  return { id, page: String(bank), elsewhere: String(bank) };
}

function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}
