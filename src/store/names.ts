/** Columns are `snake_case` in the database and `camelCase` in the program. */
import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  PostgresQueryCompiler,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely';

/** Names the columns of what was read. Kysely's own also rewrites every statement, at some cost: here the compilers do. */
export class CamelCaseRows extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }
}

export class SqliteNames extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnName(identifier));
  }
}

export class PostgresNames extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnName(identifier));
  }
}

/** The program's own names, some dozens: each is turned once. */
function keeping(turn: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const turned = known.get(name) ?? turn(name);
    known.set(name, turned);
    return turned;
  };
}

const columnName = keeping((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** What the program calls a column that was read. */
export const propertyName = keeping((column) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);
