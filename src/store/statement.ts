/** Statements whose text is made once: Kysely writes it, and what differs from call to call is put in afterwards. */
import { type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';

/** More than a statement has shapes; lists of any length are written by nobody who waits. */
const MOST_KEPT = 100;

type Value = string | number | null | undefined;

/** Stands for values that are known at the call only: whoever writes the statement can place them and cannot look at them. */
export type Given<V> = [V] extends [Value]
  ? Expression<Exclude<V, undefined>>
  : { readonly [K in keyof V]: Given<V[K]> };

interface Writable<R> {
  compile(): CompiledQuery;
  execute(): Promise<readonly R[]>;
}

export interface Statement<V, R> {
  all(queries: Queries, values: V): Promise<readonly R[]>;
  first(queries: Queries, values: V): Promise<R | undefined>;
  /** Resolves to the number of rows that it changed. */
  run(queries: Queries, values: V): Promise<number>;
}

/**
 * Prepares a statement, whose text is made at the first call for each database and each shape of the values: other
 * columns to be set, or another number of rows, make another text.
 */
export function statement<V, R>(write: (queries: Queries, given: Given<V>) => Writable<R>): Statement<V, R> {
  const texts = new Map<string, CompiledQuery>();

  function textOf(queries: Queries, { shape, values }: { readonly shape: string; readonly values: V }) {
    const known = texts.get(shape);
    if (known) return known;
    const text = write(queries, placesFor(values)).compile();
    texts.set(shape, text);
    const [oldest] = texts.keys();
    if (oldest !== undefined && texts.size > MOST_KEPT) texts.delete(oldest);
    return text;
  }

  async function ask(queries: Queries, values: V) {
    const leaves: Value[] = [];
    const shape = `${isPostgres(queries)}${unfold(values, leaves)}`;
    const text = textOf(queries, { shape, values });
    const parameters = text.parameters.map((part) => (part instanceof Place ? leaves[part.index] : part));
    return queries.executeQuery<R>({ ...text, parameters });
  }

  return {
    all: async (queries, values) => (await ask(queries, values)).rows,
    first: async (queries, values) => (await ask(queries, values)).rows[0],
    run: async (queries, values) => Number((await ask(queries, values)).numAffectedRows),
  };
}

/** One value in the text of a statement, by its turn among the values of the call. */
class Place<T> implements Expression<T> {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }
}

/** Adds the values to the leaves, in the order of their places, and tells their shape. */
function unfold(values: unknown, leaves: Value[]): string {
  if (typeof values !== 'object' || values === null) {
    leaves.push(values as Value);
    return '';
  }
  let shape = '';
  for (const name in values) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) shape += `${name}${unfold(value, leaves)},`;
  }
  return `{${shape}}`;
}

function placesFor<V>(values: V): Given<V> {
  let count = 0;
  const placeFor = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return new Place(count++);
    if (Array.isArray(value)) return value.map(placeFor);
    const known = Object.entries(value).filter(([, part]) => part !== undefined);
    return Object.fromEntries(known.map(([name, part]) => [name, placeFor(part)]));
  };
  return placeFor(values) as Given<V>;
}
