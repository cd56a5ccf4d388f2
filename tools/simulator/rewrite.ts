/** Changes fields of a real response. */
import { isRecord } from './validate.js';

export interface Rewrite {
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[] | undefined;
}

/** Returns a copy of the body with fields set and then removed. A path such as `customer.email` names a nested field. */
export function rewrite(body: unknown, { set, remove = [] }: Rewrite): unknown {
  const changed = Object.entries(set).reduce(
    (result, [path, value]) => setField(result, path.split('.'), value),
    body,
  );
  return remove.reduce((result, path) => removeField(result, path.split('.')), changed);
}

function setField(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const entries = entriesWithout(body, key);
  // `Object.fromEntries` also creates `__proto__` as an own field.
  return Object.fromEntries([...entries, [key, setField(ownField(body, key), rest, value)]]);
}

function removeField(body: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isRecord(body) || !Object.hasOwn(body, key)) return body;
  const entries = entriesWithout(body, key);
  return Object.fromEntries(rest.length === 0 ? entries : [...entries, [key, removeField(body[key], rest)]]);
}

function entriesWithout(body: unknown, key: string): readonly (readonly [string, unknown])[] {
  return isRecord(body) ? Object.entries(body).filter(([name]) => name !== key) : [];
}

function ownField(body: unknown, key: string): unknown {
  return isRecord(body) && Object.hasOwn(body, key) ? body[key] : undefined;
}
