/** Statements whose text is made once: Kysely writes it, and what differs from call to call is put in afterwards. */
import { type CompiledQuery, type Expression, type OperationNode, ValueNode } from 'kysely';
import { send } from './connections.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';

/** More than a statement has shapes; lists of any length are written by nobody who waits. */
const MOST_KEPT = 100;

type Value = string | number | null | undefined;

/** Stands for values that are known at the call only: whoever writes the statement can place them and cannot look at them. */
export type Given<V> = [V] extends [Value]
  ? Expression<Exclude<V, undefined>>
  : { readonly [K in keyof V]: Given<V[K]> };

/** Which database it is for, and the names of all values. */
type Shape = readonly string[];

interface Text {
  readonly shape: Shape;
  readonly query: CompiledQuery;
}

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
  const texts: Text[] = [];

  function textOf(queries: Queries, { shape, values }: { readonly shape: Shape; readonly values: V }) {
    const known = texts.find((text) => isSame(text.shape, shape));
    if (known) return known.query;
    const query = write(queries, placesFor(values)).compile();
    texts.push({ shape, query });
    if (texts.length > MOST_KEPT) texts.shift();
    return query;
  }

  function ask(queries: Queries, values: V) {
    const leaves: Value[] = [];
    const shape: string[] = [isPostgres(queries) ? 'PostgreSQL' : 'SQLite'];
    unfold(values, { leaves, shape });
    const text = textOf(queries, { shape, values });
    const parameters = text.parameters.map((part) => (part instanceof Place ? leaves[part.index] : part));
    return send<R>(queries, { ...text, parameters });
  }

  return {
    all: async (queries, values) => (await ask(queries, values)).rows,
    first: async (queries, values) => (await ask(queries, values)).rows[0],
    run: async (queries, values) => (await ask(queries, values)).changed,
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

/** Adds the values to the leaves, in the order of their places, and their names to the shape. */
function unfold(values: unknown, into: { readonly leaves: Value[]; readonly shape: string[] }): void {
  if (typeof values !== 'object' || values === null) {
    into.leaves.push(values as Value);
    return;
  }
  into.shape.push('{');
  for (const name in values) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    into.shape.push(name);
    unfold(value, into);
  }
  into.shape.push('}');
}

function isSame(one: Shape, other: Shape): boolean {
  return one.length === other.length && one.every((name, place) => name === other[place]);
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
