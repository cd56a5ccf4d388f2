/** Filters of the order list in the query string: parsing, validation and serialization. */

import type { Request } from 'express';
import type { OrderFilter } from '../db/search-orders.js';
import { readOrderNumber } from '../domain/ids.js';
import { addDays, isDay, startOfDay } from '../domain/mexico-day.js';
import { ORDER_STATES } from '../domain/order.js';
import { NAME_SEARCH_MIN, plainName } from '../domain/search-name.js';
import { brand } from '../locales/brand.js';
import { readText } from '../web/form-body.js';

const FIELDS = ['q', 'state', 'review', 'ship', 'from', 'to'] as const;
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
  /**
   * Order number from the search field. It identifies one order, so the other filters are ignored. Eight letters may also
   * be a name: the filter then has it, for the case that no order has this number.
   */
  readonly number?: string;
}

const MAX_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Parses the filters. Reports each problem at its field. */
export function readFilter(query: Request['query']): FilterReading {
  const texts = FIELDS.map((name) => [name, readText(query[name]).trim().slice(0, MAX_LENGTH)]);
  const typed = Object.fromEntries(texts) as FilterReading['typed'];
  const search = parseSearch(typed.q);
  const state = ORDER_STATES.find((name) => name === typed.state);
  const days = readDays(typed.from, typed.to);
  return {
    typed,
    problems: {
      ...(search.problem && { q: search.problem }),
      ...(typed.state !== '' && !state && ({ state: 'unknownState' } as const)),
      ...days.problems,
    },
    filter: {
      email: search.email,
      name: search.name,
      state,
      inReview: typed.review === '' ? undefined : true,
      toShip: typed.ship === '' ? undefined : true,
      ...days.filter,
    },
    number: search.number,
  };
}

function parseSearch(
  typed: string,
): Pick<OrderFilter, 'email' | 'name'> & { readonly number?: string; readonly problem?: FilterProblem } {
  if (typed === '') return {};
  if (typed.includes('@')) return EMAIL.test(typed) ? { email: typed } : { problem: 'unreadable' };
  const number = readOrderNumber(typed, brand.orderPrefix);
  const isNumber = /\d/.test(typed) || typed.toUpperCase().startsWith(brand.orderPrefix);
  if (number !== undefined && isNumber) return { number };
  const name = plainName(typed);
  if ([...name].length < NAME_SEARCH_MIN) return { problem: 'unreadable' };
  return number === undefined ? { name } : { name, number };
}

function readDays(from: string, to: string): Pick<FilterReading, 'problems' | 'filter'> {
  const problems = {
    ...(from !== '' && !isDay(from) && ({ from: 'notADay' } as const)),
    ...(to !== '' && !isDay(to) && ({ to: 'notADay' } as const)),
  };
  if (Object.keys(problems).length > 0) return { problems, filter: {} };
  if (from !== '' && to !== '' && to < from) return { problems: { to: 'endsBeforeItBegins' }, filter: {} };
  return {
    problems: {},
    filter: {
      from: from === '' ? undefined : startOfDay(from),
      until: to === '' ? undefined : startOfDay(addDays(to, 1)),
    },
  };
}

/** Returns `path` with the filters in its query string. `cursor` adds the cursor of the page. */
export function filterAddress(
  path: string,
  typed: FilterReading['typed'],
  cursor: Readonly<Partial<Record<'after' | 'before', string>>> = {},
): string {
  const filled = FIELDS.filter((name) => typed[name] !== '').map((name) => [name, typed[name]] as const);
  const query = new URLSearchParams({ ...Object.fromEntries(filled), ...cursor }).toString();
  return query === '' ? path : `${path}?${query}`;
}
