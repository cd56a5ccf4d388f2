/** A prefix for tables, so that they stand beside tables of another program with the same names. */
import {
  AliasNode,
  type CommonTableExpressionNameNode,
  type FromNode,
  type InsertQueryNode,
  type JoinNode,
  type Kysely,
  type KyselyPlugin,
  type MergeQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  type RawNode,
  TableNode,
  UpdateQueryNode,
  type UsingNode,
} from 'kysely';
import { databaseName } from './column-names.js';
import type { DatabaseOf, Tx } from './database.js';
import { tablePrefixOf } from './database-prefix.js';

/** The queries and transactions of the database without a prefix, by those that {@link withTablePrefix} made of them. */
const originals = new WeakMap<object, unknown>();

/**
 * Returns the same database for code that names `tables` without their prefix, as `order_events`. Without a prefix it is the
 * given one.
 *
 * Each table gets its name as alias: `from "pay_orders" as "orders"`. So references to its columns stay as they are, also in raw
 * SQL. `sql.table('orders')` is the table with its prefix, without an alias. A table that raw SQL names itself has no prefix.
 * Schema statements (`db.schema`) and common table expressions with one of the names are refused.
 */
export function withTablePrefix<T>(database: DatabaseOf<T>, tables: readonly string[]): DatabaseOf<T> {
  const prefix = tablePrefixOf(database.queries);
  if (prefix === '') return database;
  return {
    ...database,
    queries: prefixQueries(database.queries, tables),
    transaction: (work, limits) => database.transaction((tx) => work(prefixTransaction(tx, prefix, tables)), limits),
  };
}

/** Returns a transaction of {@link withoutTablePrefix} for code that names `tables` without their prefix. */
export function prefixTransaction<T>(tx: Tx<T>, prefix: string, tables: readonly string[]): Tx<T> {
  if (prefix === '') return tx;
  const { onCommit, savepoint } = tx;
  const prefixed = Object.assign(tx.withPlugin(tablePrefix(prefix, tables)), { onCommit, savepoint });
  originals.set(prefixed, tx);
  return prefixed;
}

/** Returns queries of a host, or of its transaction, for code that reads `tables` without their prefix. */
export function prefixQueries<T>(queries: Kysely<T>, tables: readonly string[]): Kysely<T> {
  const prefix = tablePrefixOf(queries);
  if (prefix === '' || originals.has(queries)) return queries;
  const prefixed = queries.withPlugin(tablePrefix(prefix, tables));
  originals.set(prefixed, queries);
  return prefixed;
}

/** Returns queries or a transaction for code that names all tables as they are in the database, such as that of a host. */
export function withoutTablePrefix<Q extends object>(queries: Q): Q {
  return (originals.get(queries) as Q | undefined) ?? queries;
}

/**
 * For functions that get the queries of a host: throws if its payments have tables with a prefix, because the host has its own
 * table without it. `instead`: the method of the payments that reads or writes the right one.
 */
export function refuseTablePrefix<T>(queries: Kysely<T>, instead?: string): void {
  const prefix = tablePrefixOf(queries);
  if (prefix === '' || originals.has(queries)) return;
  const way = instead === undefined ? 'This function is for a host without a prefix' : `Call payments.${instead}`;
  throw new Error(`The tables of the payments have the prefix ${prefix}. ${way}.`);
}

function tablePrefix(prefix: string, tables: readonly string[]): KyselyPlugin {
  const transformer = new PrefixTransformer(prefix, new Set(tables));
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(transformer.assertQuery(node), queryId),
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

class PrefixTransformer extends OperationNodeTransformer {
  readonly #prefix: string;
  readonly #tables: ReadonlySet<string>;

  constructor(prefix: string, tables: ReadonlySet<string>) {
    super();
    this.#prefix = prefix;
    this.#tables = tables;
  }

  /** Otherwise `db.schema.dropTable('orders')` would drop the table of the other program. */
  assertQuery<T extends OperationNode>(node: T): T {
    const isSchema = !UpdateQueryNode.is(node) && 'table' in node;
    if (isSchema && this.#isPrefixed(node.table as OperationNode)) throw new Error('schema statements get no prefix');
    return node;
  }

  protected override transformFrom(node: FromNode, queryId?: QueryId): FromNode {
    const from = super.transformFrom(node, queryId);
    return { ...from, froms: from.froms.map((table) => this.#aliased(table)) };
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const join = super.transformJoin(node, queryId);
    return { ...join, table: this.#aliased(join.table) };
  }

  protected override transformUsing(node: UsingNode, queryId?: QueryId): UsingNode {
    const using = super.transformUsing(node, queryId);
    return { ...using, tables: using.tables.map((table) => this.#aliased(table)) };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const update = super.transformUpdateQuery(node, queryId);
    return { ...update, ...(update.table && { table: this.#aliased(update.table) }) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, queryId);
    // The type allows no alias. The compiler does, and both databases.
    return { ...insert, ...(insert.into && { into: this.#aliased(insert.into) as TableNode }) };
  }

  protected override transformMergeQuery(node: MergeQueryNode, queryId?: QueryId): MergeQueryNode {
    const merge = super.transformMergeQuery(node, queryId);
    return { ...merge, into: this.#aliased(merge.into) as AliasNode };
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const raw = super.transformRaw(node, queryId);
    return { ...raw, parameters: raw.parameters.map((table) => this.#prefixed(table)) };
  }

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    queryId?: QueryId,
  ): CommonTableExpressionNameNode {
    if (this.#isPrefixed(node.table)) throw new Error('a common table expression has the name of a table with prefix');
    return super.transformCommonTableExpressionName(node, queryId);
  }

  #isPrefixed(node: OperationNode): node is TableNode {
    return TableNode.is(node) && !node.table.schema && this.#tables.has(databaseName(node.table.identifier.name));
  }

  #prefixed(node: OperationNode): OperationNode {
    return this.#isPrefixed(node) ? TableNode.create(`${this.#prefix}${node.table.identifier.name}`) : node;
  }

  /** A table as the source or target of a statement. */
  #aliased(node: OperationNode): OperationNode {
    if (AliasNode.is(node)) return AliasNode.create(this.#prefixed(node.node), node.alias);
    return this.#isPrefixed(node) ? AliasNode.create(this.#prefixed(node), node.table.identifier) : node;
  }
}
