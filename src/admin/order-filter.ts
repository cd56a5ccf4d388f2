/** Filters of the order list in the query string: parsing, validation and serialization. */
import type { Request } from 'express';
import type { OrderFilter } from '../db/search-orders.js';
import { readOrderNumber } from '../domain/ids.js';
import { addDays, isDay, startOfDay } from '../domain/mexico-day.js';
import { ORDER_STATES } from '../domain/order.js';
import { readText } from '../web/read-text.js';

const FIELDS = ['q', 'state', 'person', 'from', 'to'] as const;
type FilterField = (typeof FIELDS)[number];

export type FilterProblem =
  | 'unreadable'
  | 'unknownNumber'
  | 'unknownState'
  | 'notADay'
  | 'endsBeforeItBegins';

/** Parsed filters with their problems. */
export interface FilterReading {
  /** Trimmed input, valid or not. */
  readonly typed: Readonly<Record<FilterField, string>>;
  readonly problems: Readonly<Partial<Record<FilterField, FilterProblem>>>;
  readonly filter: OrderFilter;
  /** Order number from the search field. It identifies one order, so the other filters are ignored. */
  readonly number?: string;
}

const LONGEST = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Parses the filters. Reports each problem at its field. */
export function readFilter(query: Request['query']): FilterReading {
  const text = (name: FilterField) => readText(query[name]).trim().slice(0, LONGEST);
  const typed = {
    q: text('q'),
    state: text('state'),
    person: text('person'),
    from: text('from'),
    to: text('to'),
  };
  const sought = readSought(typed.q);
  const state = ORDER_STATES.find((known) => known === typed.state);
  const days = readDays(typed.from, typed.to);
  return {
    typed,
    problems: {
      ...('problem' in sought && { q: sought.problem }),
      ...(typed.state !== '' && !state && ({ state: 'unknownState' } as const)),
      ...days.problems,
    },
    filter: {
      ...('email' in sought && { email: sought.email }),
      ...(state && { state }),
      ...(typed.person !== '' && ({ inReview: true } as const)),
      ...days.filter,
    },
    ...('number' in sought && { number: sought.number }),
  };
}

function readSought(
  typed: string,
): { readonly email: string } | { readonly number: string } | { readonly problem: FilterProblem } | object {
  if (typed === '') return {};
  if (typed.includes('@')) return EMAIL.test(typed) ? { email: typed } : { problem: 'unreadable' };
  const number = readOrderNumber(typed);
  return number === undefined ? { problem: 'unreadable' } : { number };
}

function readDays(from: string, to: string): Pick<FilterReading, 'problems' | 'filter'> {
  const wrong = {
    ...(from !== '' && !isDay(from) && ({ from: 'notADay' } as const)),
    ...(to !== '' && !isDay(to) && ({ to: 'notADay' } as const)),
  };
  if (Object.keys(wrong).length > 0) return { problems: wrong, filter: {} };
  if (from !== '' && to !== '' && to < from) return { problems: { to: 'endsBeforeItBegins' }, filter: {} };
  return {
    problems: {},
    filter: {
      ...(from !== '' && { from: startOfDay(from) }),
      ...(to !== '' && { until: startOfDay(addDays(to, 1)) }),
    },
  };
}

/** Returns `path` with the filters in its query string. `place` adds the cursor of the page. */
export function filterAddress(
  path: string,
  typed: FilterReading['typed'],
  place: Readonly<Partial<Record<'after' | 'before', string>>> = {},
): string {
  const kept = FIELDS.filter((name) => typed[name] !== '').map((name) => [name, typed[name]] as const);
  const query = new URLSearchParams({ ...Object.fromEntries(kept), ...place }).toString();
  return query === '' ? path : `${path}?${query}`;
}
