/** Overwrites members of a real answer, at the top or by a dotted path. */
import { isRecord } from './validate.js';

export interface Rewriting {
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[] | undefined;
}

/** Returns a copy of the body with members set and then removed. A dot separates the names of a path. */
export function rewrite(body: unknown, { set, remove = [] }: Rewriting): unknown {
  const changed = Object.entries(set).reduce((all, [path, value]) => put(all, path.split('.'), value), body);
  return remove.reduce((all, path) => drop(all, path.split('.')), changed);
}

function put(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const entries = entriesWithout(body, key);
  // `Object.fromEntries` also creates `__proto__` as an own member.
  return Object.fromEntries([...entries, [key, put(member(body, key), rest, value)]]);
}

function drop(body: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isRecord(body) || !Object.hasOwn(body, key)) return body;
  const entries = entriesWithout(body, key);
  return Object.fromEntries(rest.length === 0 ? entries : [...entries, [key, drop(body[key], rest)]]);
}

function entriesWithout(body: unknown, key: string): readonly (readonly [string, unknown])[] {
  return isRecord(body) ? Object.entries(body).filter(([name]) => name !== key) : [];
}

function member(body: unknown, key: string): unknown {
  return isRecord(body) && Object.hasOwn(body, key) ? body[key] : undefined;
}
