/** Names of tables and columns: camel case in code, snake case in the database. */
import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely';

/**
 * Kysely's plugin for the columns of results. It would also copy each statement to rename its identifiers. The compilers below do
 * that while they write the SQL, which takes less time.
 */
class CamelCaseResults extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  toSnakeCase(name: string): string {
    return this.snakeCase(name);
  }
}

export const camelCaseResults = new CamelCaseResults();

/** Returns the name in the database: `order_events` for `orderEvents`. */
export function databaseName(name: string): string {
  return camelCaseResults.toSnakeCase(name);
}

export class SnakeCaseSqliteCompiler extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(databaseName(identifier));
  }
}

export class SnakeCasePostgresCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(databaseName(identifier));
  }
}
